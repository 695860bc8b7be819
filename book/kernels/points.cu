// finds: nothing
// launch: grid=1, block=32, args=[ramp(128), empty(32)]

struct Point { float x, y, z, mass; };

// Takes the masses out of an array of structs.
__global__ void masses(const Point* points, float* out)
{
    int i = threadIdx.x;

    float mass = points[i].mass;  // load: one float of each struct of four
    out[i] = mass;                // store: side by side
}
