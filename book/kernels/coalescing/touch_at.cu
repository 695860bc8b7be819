// finds: nothing
// launch: name="touch_at<float>", grid=1, block=32, args=[ramp(64), empty(32), 2, 0]

// One warp loads elements that lie `stride` apart, beginning at `offset`. The elements are of any type.
template <typename Element>
__global__ void touch_at(const Element* in, Element* out, int stride, int offset)
{
    int lane = threadIdx.x;

    out[lane] = in[stride * lane + offset];
}
