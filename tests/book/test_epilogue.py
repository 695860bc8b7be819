"""Are the last page's claims about NVIDIA's compilers those of the compilers, and does its program compile?"""

import os
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from course_book import kernels, measured

WHERE = f"{os.environ['PATH']}:/usr/local/cuda/bin"
NVCC, PTXAS = shutil.which("nvcc", path=WHERE), shutil.which("ptxas", path=WHERE)

KERNEL = """
.version {version}
.target {arch}
.address_size 64
.visible .entry k(.param .u64 p) {{
    .reg .b32 a<4>, b<2>; .reg .f32 d<4>; .reg .b64 q; .reg .b16 h;
    .shared .align 16 .b8 place[128]; .shared .align 8 .b64 bar;
    mov.b32 a0, 0; mov.b32 a1, 0; mov.b32 a2, 0; mov.b32 a3, 0; mov.b32 b0, 0; mov.b32 b1, 0; mov.b16 h, 3;
    mov.f32 d0, 0f00000000; mov.f32 d1, d0; mov.f32 d2, d0; mov.f32 d3, d0;
    ld.param.u64 q, [p];
    {instruction}
    st.global.f32 [q], d0;
    ret;
}}
"""
SCALED_TYPES = "kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"
INSTRUCTIONS = {
    "tcgen05": "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
    "wgmma": "wgmma.fence.sync.aligned;",
    "mma.sync": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{d0, d1, d2, d3}, {a0, a1, a2, a3}, {b0, b1}, {d0, d1, d2, d3};",
    "mma.sync, block-scaled": f"mma.sync.aligned.m16n8k64.row.col.{SCALED_TYPES} "
    "{d0, d1, d2, d3}, {a0, a1, a2, a3}, {b0, b1}, {d0, d1, d2, d3}, {a0}, {h, h}, {b0}, {h, h};",
    "multicast": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
    " [place], [q], 128, [bar], h;",
    "cluster launch control": "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128"
    " [place], [bar];",
}
#: The version of PTX that first knows a target, if it is not 8.7.
VERSIONS = {"sm_103a": "8.8", "sm_110a": "9.0", "sm_121a": "8.8"}
#: The targets that take each of them, without advice to use another one.
TAKEN = {
    "tcgen05": {"sm_100a", "sm_103a", "sm_110a"},
    "wgmma": {"sm_90a"},
    "mma.sync": {"sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"},
    "mma.sync, block-scaled": {"sm_120a", "sm_121a"},
    "multicast": {"sm_90a", "sm_100a", "sm_103a", "sm_110a"},
    "cluster launch control": {"sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"},
}


@pytest.mark.skipif(PTXAS is None, reason="no ptxas")
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_the_assembler_takes_it_where_the_page_says(instruction: str, tmp_path: Path) -> None:
    taken = set()
    for arch in sorted(set().union(*TAKEN.values())):
        text = KERNEL.format(version=VERSIONS.get(arch, "8.7"), arch=arch, instruction=INSTRUCTIONS[instruction])
        (tmp_path / "k.ptx").write_text(text)
        command = [str(PTXAS), f"-arch={arch}", "-o", str(tmp_path / "k.cubin"), str(tmp_path / "k.ptx")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0 and "Advisory" not in done.stderr:
            taken.add(arch)
    assert taken == TAKEN[instruction]


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_nvcc_takes_the_program_with_early_launches_and_a_graph(tmp_path: Path) -> None:
    program = kernels.FOLDER.parent / "programs" / "launches.cu"
    subprocess.run([str(NVCC), "-arch=sm_90", "-o", str(tmp_path / "launches"), str(program)], check=True)


def test_the_tile_kernel_is_compiled_to_what_the_page_says() -> None:
    found = defaultdict(set)
    for row in measured.load("tile_instructions.csv"):
        if int(row["count"]):
            found[row["gpu"]].add(row["instruction"])
    bulk = {"cp.async.bulk.tensor", "mbarrier", "bar.sync"}
    assert found == {
        "A100": {"cp.async", "ldmatrix", "mma.sync", "bar.sync"},
        "H100": {"wgmma"} | bulk,
        "B200": {"tcgen05.mma", "tcgen05.ld"} | bulk,
        "RTX 5090": {"mma.sync", "ldmatrix"} | bulk,
    }
