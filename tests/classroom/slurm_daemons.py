"""Slurm for a test: controller and node daemon on this machine, below a folder."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

#: No munge: nobody but this machine reaches the daemons. Two nodes' worth of cores, whatever the machine has.
_CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
GresTypes=gpu
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=8000 Gres=gpu:1 State=UNKNOWN
PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


#: How the reason begins for which a test with Slurm is skipped.
NO_SLURM = "no Slurm: "


def missing() -> str:
    """Why Slurm cannot be started here, in a few words; "" if it can."""
    programs = [name for name in ("slurmctld", "slurmd", "sbatch") if shutil.which(name) is None]
    return f"{NO_SLURM}{programs[0]} is missing" if programs else ""


class Slurm:
    """Slurm, running while the context is open. `environment` is for its commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        host = socket.gethostname().partition(".")[0]
        controller, node = _free_ports()
        values = {"host": host, "controller": controller, "node": node, "user": getpass.getuser(), "folder": folder}
        for name in ("state", "spool"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(_CONF.format(**values))
        (folder / "gres.conf").write_text("Name=gpu File=/dev/null\n")
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self) -> Slurm:
        self._daemons = [self._start(name) for name in ("slurmctld", "slurmd")]
        for _ in range(300):
            if self.request("sinfo", "--noheader", "--format=%t") == "idle\n":
                return self
            time.sleep(0.2)
        self.__exit__()
        logs = "".join((self.folder / f"{name}.log").read_text()[-1500:] for name in ("slurmctld", "slurmd"))
        raise AssertionError(f"Slurm does not start:\n{logs}")

    def __exit__(self, *error: Any) -> None:
        for job in self.jobs():
            self.request("scancel", job)
        for _ in range(100):
            if not self.jobs():
                break
            time.sleep(0.1)
        for daemon in self._daemons:
            daemon.terminate()
        for daemon in self._daemons:
            daemon.wait(20)

    def restart_controller(self, seconds: float) -> None:
        """Kill the controller, and start it again after `seconds`."""
        self._daemons[0].kill()
        self._daemons[0].wait()
        time.sleep(seconds)
        self._daemons[0] = self._start("slurmctld")
        while "idle" not in (state := self.request("sinfo", "--noheader", "--format=%t")) and "mix" not in state:
            time.sleep(0.2)

    def take_node_away(self, seconds: float) -> None:
        """The node is down, with all that runs on it, for so long."""
        self._node("DOWN")
        time.sleep(seconds)
        self._node("RESUME")

    def _node(self, state: str) -> None:
        host = socket.gethostname().partition(".")[0]
        self.request("scontrol", "update", f"NodeName={host}", f"State={state}", "Reason=a test")

    def _start(self, daemon: str) -> subprocess.Popen[bytes]:
        command = [daemon, "-D", "-f", str(self.folder / "slurm.conf")]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def jobs(self) -> list[str]:
        """The numbers of the jobs in the queue."""
        return self.request("squeue", "--noheader", "--format=%i").split()

    def request(self, *command: str) -> str:
        """The output of a Slurm command."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout


def _free_ports() -> tuple[int, int]:
    with socket.socket() as item, socket.socket() as other:
        for found in (item, other):
            found.bind(("127.0.0.1", 0))
        return item.getsockname()[1], other.getsockname()[1]
