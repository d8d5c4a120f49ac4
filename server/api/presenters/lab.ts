// Other machines that analyse, in their current shape.
import type { LabMachine } from '../../contract/workstation/lab.ts';
import type { LabMachineRecord, MachineLife } from '../../services/lab/lab-machines.ts';
import { type Presenting, timestamp } from './presenting.ts';

export const presentMachine = (
  { ids }: Presenting,
  machine: LabMachineRecord,
  life: MachineLife | null,
): LabMachine => ({
  id: ids.encode('machine', machine.id),
  name: machine.name,
  state: machine.state,
  created_at: timestamp(machine.createdAt),
  last_seen_at: life === null ? null : timestamp(life.lastSeenAt),
  is_online: life?.isOnline ?? false,
  is_taking: machine.state === 'on' && life?.isOnline === true && life.heartbeat.is_taking,
  version: life?.heartbeat.version ?? null,
  cores: life?.heartbeat.cores ?? null,
  load: life?.heartbeat.load ?? null,
  running: life?.isOnline === true ? life.heartbeat.running.length : 0,
  done: life?.done ?? 0,
  failed: life?.failed ?? 0,
  done_lately: life?.doneLately ?? 0,
});
