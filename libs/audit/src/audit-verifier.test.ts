import { createAuditVerifier, type AuditFault } from './audit-verifier.js';
import type { AuditRow } from './content-hash.js';
import { FIRST_PREVIOUS, hashOfSeal, sealRows, type Seal } from './seal.js';
import { makeSealKey } from './test-audit-log.js';

const key = makeSealKey('seal-key');

const row = (seq: number): AuditRow => ({
  ...{ seq, id: `00000000-0000-7000-8000-00000000000${seq}`, at: '2026-01-01T00:00:00.000Z', user_id: 'u' },
  ...{
    actor_kind: 'user',
    actor_id: 'Ann',
    action: 'skill.update',
    resource: 'sk',
    project: 'Core',
    decision: 'allow',
  },
  ...{ reason: null, request_id: null, ip: null, detail: {} },
});
const seal = (number: number, previous: string) =>
  sealRows([row(number)], { number, previous, sealedAt: new Date(0) }, key);

async function faultsOf(seals: readonly Seal[]): Promise<AuditFault[]> {
  const verifier = createAuditVerifier({ findKey: key.find, previous: FIRST_PREVIOUS, firstSeal: 1 });
  for (const one of seals) {
    verifier.row(row(one.number));
    await verifier.seal(one);
  }
  return (await verifier.end()).faults;
}

describe('a chain of seals', () => {
  it('has no fault when each seal follows the seal before it', async () => {
    const first = await seal(1, FIRST_PREVIOUS);
    expect(await faultsOf([first, await seal(2, hashOfSeal(first))])).toEqual([]);
  });

  it('has a fault when a seal names a predecessor that is not the preceding seal, even if the same key signed both', async () => {
    const [first, other] = [await seal(1, FIRST_PREVIOUS), await seal(1, FIRST_PREVIOUS)];
    const faults = await faultsOf([first, await seal(2, hashOfSeal(other))]);
    expect(faults).toEqual([{ kind: 'seal', row: null, seal: 2, reason: 'it does not follow the seal before it' }]);
  });

  it('has a fault when its first seal names a predecessor', async () => {
    const faults = await faultsOf([await seal(1, 'f'.repeat(64))]);
    expect(faults).toMatchObject([{ kind: 'seal', seal: 1, reason: 'it does not follow the seal before it' }]);
  });
});
