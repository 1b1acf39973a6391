import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../harness/service.js';
import type { RunRecords } from './run-records.js';

/** Milliseconds for which a process is frozen. This is longer than a lease, so that other processes have taken over its runs when it continues. */
const FROZEN_MS = 12_000;
/** Maximum time between two faults, in milliseconds. */
const LONGEST_PAUSE_MS = 800;
/** Number of processes that each fault leaves unaffected. */
const LEAST_READY = 2;

export interface Faults {
  kills: number;
  terminations: number;
  freezes: number;
  movedLeases: number;
  cuts: number;
}

type Fault = 'kill' | 'terminate' | 'freeze' | 'move' | 'cut';

function randomFault(): Fault {
  const n = Math.random();
  if (n < 0.8) return 'kill';
  if (n < 0.86) return 'terminate';
  if (n < 0.9) return 'freeze';
  return n < 0.97 ? 'move' : 'cut';
}

/**
 * Kills the processes at random moments, with other faults in between, until the number of kills is reached. Then waits until all processes
 * are ready.
 */
export async function causeFaults(
  services: readonly Service[],
  records: RunRecords,
  kills: number,
  onKill: (kills: number) => void,
): Promise<Faults> {
  const faults: Faults = { kills: 0, terminations: 0, freezes: 0, movedLeases: 0, cuts: 0 };
  const ready = new Set(services);
  const recovering = new Set<Promise<void>>();

  function recover(service: Service, work: () => Promise<unknown>): void {
    ready.delete(service);
    const recovery = work().then(() => {
      ready.add(service);
      recovering.delete(recovery);
    });
    recovering.add(recovery);
  }

  async function cause(fault: Fault): Promise<void> {
    if (fault === 'move') {
      faults.movedLeases += await records.moveLeases();
      return;
    }
    if (fault === 'cut') {
      faults.cuts += 1;
      await records.cutConnections();
      return;
    }
    while (ready.size <= Math.min(LEAST_READY, services.length - 1)) await Promise.race(recovering);
    const service = [...ready][Math.floor(Math.random() * ready.size)] as Service;
    if (fault === 'kill') {
      faults.kills += 1;
      service.kill('SIGKILL');
      recover(service, () => service.start());
      onKill(faults.kills);
    } else if (fault === 'terminate') {
      faults.terminations += 1;
      recover(service, async () => {
        await service.terminate();
        await service.start();
      });
    } else {
      faults.freezes += 1;
      service.kill('SIGSTOP');
      recover(service, async () => {
        await delay(FROZEN_MS);
        service.kill('SIGCONT');
      });
    }
  }

  while (faults.kills < kills) {
    await delay(LONGEST_PAUSE_MS * Math.random());
    await cause(randomFault());
  }
  await Promise.all(recovering);
  return faults;
}
