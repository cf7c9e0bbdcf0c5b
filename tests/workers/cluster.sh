#!/bin/bash
# SPDX-License-Identifier: MIT
# One machine as a cluster, for tests: munged, slurmctld and slurmd in a folder of their own.
#   cluster.sh start FOLDER    starts them, and says which SLURM_CONF to use
#   cluster.sh stop FOLDER     ends them
# Works as root, in containers too. Exits with 77 where a program is missing or may not run.
set -eu
action=$1
folder=$(realpath -m "$2")

missing() { echo "no Slurm here: $1"; exit 77; }

start() {
  [ "$(id -u)" = 0 ] || missing "it takes root"
  for program in munged mungekey slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || missing "$program is not installed"
  done
  mkdir -p "$folder"/{munge,state,spool,log}
  chmod 700 "$folder/munge"
  mungekey --create --keyfile "$folder/munge/key" >/dev/null
  munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --force \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed" || missing "munged does not start"
  local host cores port
  host=$(hostname -s)
  cores=$(nproc)
  port=$((20000 + RANDOM % 20000))
  cat >"$folder/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer_batch=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=5
MinJobAge=30
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
EOF
  export SLURM_CONF=$folder/slurm.conf
  slurmctld >"$folder/log/start" 2>&1 || missing "slurmctld does not start: $(tail -n1 "$folder/log/start")"
  slurmd >>"$folder/log/start" 2>&1 || missing "slurmd does not start: $(tail -n1 "$folder/log/start")"
  for _ in $(seq 100); do
    if sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle'; then
      echo "SLURM_CONF=$folder/slurm.conf"
      return
    fi
    sleep 0.1
  done
  stop
  missing "its node does not come up: $(tail -n1 "$folder/log/slurmd")"
}

stop() {
  for file in "$folder"/slurmd.pid "$folder"/slurmctld.pid "$folder"/munge/pid; do
    if [ -s "$file" ]; then kill "$(cat "$file")" 2>/dev/null || true; fi
  done
}

"$action"
