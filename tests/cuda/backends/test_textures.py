"""Texture and surface objects give what CUDA's guide says, and their accesses are seen."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import gpu
from autograder.cuda.core.findings import Crash, Kind
from autograder.cuda.core.texture import texture
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

KERNEL = Kernel(
    """
__global__ void k(cudaTextureObject_t t, cudaTextureObject_t rgba, cudaTextureObject_t line,
                  cudaSurfaceObject_t s, float* out, float4* four)
{
    int i = threadIdx.x, x = i % 4, y = i / 4;
    out[i] = tex2D<float>(t, x + 0.75f, y - 0.5f) + tex1Dfetch<int>(line, i);
    four[i] = tex2D<float4>(rgba, (x + 0.5f) / 4, (y - 0.5f) / 4);
    surf2Dwrite(out[i], s, x * 4, y);
}
""",
    "k",
)
SQUARES = np.arange(16, dtype=np.float32).reshape(4, 4) ** 2
COLORS = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)


def arguments(line: int = 16) -> list[np.ndarray]:
    return [
        texture(SQUARES, linear=True),
        texture(COLORS, dimensions=2, address="wrap", normalized=True, as_float=True),
        texture(np.arange(line, dtype=np.int32)),
        texture(np.zeros((4, 4), np.float32)),
        np.zeros(16, np.float32),
        np.zeros(64, np.float32),
    ]


def test_each_way_of_reading_gives_what_the_guide_says() -> None:
    run = KERNEL.emulate(1, 16, arguments())
    assert run.findings == ()
    at = np.pad(SQUARES, 1, mode="edge")
    # Between columns x and x + 1, a quarter on; and in row y - 1, exactly.
    linear = 0.75 * at[:4, 1:5] + 0.25 * at[:4, 2:6]
    np.testing.assert_array_equal(run.outputs[4].reshape(4, 4), linear + np.arange(16).reshape(4, 4))
    np.testing.assert_allclose(run.outputs[5].reshape(4, 4, 4) * 255, np.roll(COLORS, 1, axis=0), atol=1e-4)
    np.testing.assert_array_equal(run.outputs[3][64:].view(np.float32), run.outputs[4])


def test_a_direction_meets_one_face_of_a_cube() -> None:
    text = """
__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, const float3* from, float* out, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    float3 d = from[i];
    out[i] = texCubemapLayered<float>(t, d.x, d.y, d.z, 1) - 600;
    out[n + i] = texCubemap<float>(t, d.x, d.y, d.z);
    if (i < 6) surfCubemapwrite(surfCubemapread<float>(s, 4, 1, i) + 1, s, 0, 0, i);
}
"""
    faces = np.arange(12)[:, None, None] * 100 + np.array([[0, 1], [10, 11]])  # 10 further down, 1 further to the right
    # To the right and down, seen from the middle: as in the guide's table of the major axes.
    right = [(0, 0, -1), (0, 0, 1), (1, 0, 0), (1, 0, 0), (1, 0, 0), (-1, 0, 0)]
    down = [(0, -1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (0, -1, 0), (0, -1, 0)]
    middle = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    places = [(face, x, y) for face in range(6) for x in (0, 1) for y in (0, 1)]
    half = [
        3 * (np.array(middle[f]) + (x - 0.5) * np.array(right[f]) + (y - 0.5) * np.array(down[f])) for f, x, y in places
    ]
    cube = texture(faces.astype(np.float32), dimensions=3, linear=True, normalized=True)
    surface = texture(faces[:6].astype(np.float32))
    run = Kernel(text, "k").emulate(
        1, 32, [cube, surface, np.array(half, np.float32).reshape(-1), np.zeros(48, np.float32), 24]
    )
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[3].reshape(2, 24), [[100 * f + x + 10 * y for f, x, y in places]] * 2)
    found = run.outputs[1][64:].view(np.float32).reshape(6, 2, 2)
    np.testing.assert_array_equal(found[:, 0, 0], faces[:6, 1, 1] + 1)


def test_kernels_know_the_types_that_describe_an_array() -> None:
    text = """
struct Of { static const cudaTextureReadMode mode = cudaReadModeNormalizedFloat; };
__device__ size_t end(cudaExtent extent, cudaPos at) { return extent.width + extent.depth - at.z; }
__global__ void k(cudaTextureObject_t t, int* out)
{
    *out = tex1Dfetch<int>(t, 2) + end({10, 20, 30}, {1, 2, 3}) + Of::mode;
}
"""
    run = Kernel(text, "k").emulate(1, 1, [texture(np.arange(4, dtype=np.int32)), np.zeros(1, np.int32)])
    assert (run.findings, run.outputs[1][0]) == ((), 2 + 37 + 1)


@pytest.mark.parametrize(
    ("address", "normalized", "wanted"),
    [
        ("clamp", False, [0, 0, 0, 1, 2, 2, 2]),
        ("border", False, [0, 0, 0, 1, 2, 0, 0]),
        ("wrap", True, [1, 2, 0, 1, 2, 0, 1]),
        ("mirror", True, [1, 0, 0, 1, 2, 2, 1]),
        ("wrap", False, [0, 0, 0, 1, 2, 2, 2]),  # without normalized coordinates there is no such mode
    ],
)
def test_what_lies_outside(address: str, normalized: bool, wanted: list[int]) -> None:
    kernel = Kernel(
        "__global__ void k(cudaTextureObject_t t, float size, float* out) "
        "{ int i = threadIdx.x; out[i] = tex1D<float>(t, (i - 1.5f) / size); }",
        "k",
    )
    row = texture(np.arange(3, dtype=np.float32), address=address, normalized=normalized)
    run = kernel.emulate(1, 7, [row, 3.0 if normalized else 1.0, np.zeros(7, np.float32)])
    assert list(run.outputs[1]) == wanted


def test_a_read_past_the_elements_is_out_of_bounds_at_its_line() -> None:
    (found,) = KERNEL.emulate(1, 16, arguments(line=15)).findings
    assert found.kind is Kind.OUT_OF_BOUNDS and found.accesses[0].line == 6


@pytest.mark.parametrize("object", ["123456", "a", "t + 4", "description"])
@pytest.mark.parametrize(
    "use", ["tex1Dfetch<float>(OBJECT, 1)", "tex2D<float>(OBJECT, 1, 0)", "surf1Dread<int>(OBJECT, 4)"]
)
def test_an_object_that_the_host_has_not_made_is_none(use: str, object: str) -> None:
    text = f"""
__global__ void k(cudaTextureObject_t t, float* a)
{{
    int description[16] = {{6, 1, 4, 1, 1, 0, 1, 1, 1, 0, 0, 16}};
    for (int i = 0; i < 12; i++) ((int*)a)[i] = description[i];
    *(long*)(description + 12) = (char*)(a + 16) - (char*)description;
    *(long*)(a + 12) = 64;
    a[0] = {use.replace("OBJECT", f"(cudaTextureObject_t)({object})")};
}}"""
    kernel = Kernel(text, "k")
    (found,) = kernel.emulate(1, 1, [texture(np.zeros(32, np.float32)), np.zeros(32, np.float32)]).findings
    assert isinstance(found, Crash) and found.reason == "no such texture" and found.accesses[0].line == 8


def test_two_threads_that_write_one_element_of_a_surface_race() -> None:
    kernel = Kernel("__global__ void k(cudaSurfaceObject_t s) { surf1Dwrite(int(threadIdx.x), s, 0); }", "k")
    run = kernel.emulate(1, 32, [texture(np.zeros(4, np.int32))])
    assert {found.kind for found in run.findings} == {Kind.RACE}


def test_no_gpu_is_given_a_texture() -> None:
    launch = Kernel(KERNEL.source, "k").prepare(1, 16, arguments())
    with pytest.raises(UsageError, match="t is a texture or surface, which no GPU is given"):
        gpu._refuse_objects(launch)


@pytest.mark.parametrize(
    "elements", [np.zeros(3), np.zeros((2, 2, 2, 2), np.float32), np.zeros((), np.float32)], ids=["double", "4D", "0D"]
)
def test_what_is_no_texture(elements: np.ndarray) -> None:
    with pytest.raises(UsageError, match="A texture has no elements of type"):
        texture(elements)
