// Brings what somebody's files hold into the catalogue of this process. Knows nothing of files.
import { passwordsToTry } from '../../contract/catalogue/archive-signatures.ts';
import type { Store } from '../../store/store.ts';
import type { Intake, IntakeOptions, IntakeResult } from '../catalogue/intake.ts';
import { Failure, isPassing, storageFailureOf } from '../failure.ts';
import { readSetting } from '../settings.ts';
import { type Carrier, CarrierError, isOfSystem } from './brought-file.ts';

interface CarriedFiles {
  /** Whose uploads they are. */
  accountId: number;
  priority: NonNullable<IntakeOptions['priority']>;
  signal: AbortSignal;
  holds: Carrier['holds'];
  also?: IntakeOptions['also'];
  /** What follows when one is in the catalogue. */
  onTaken: (taken: IntakeResult) => Promise<void>;
}

/** A carrier that takes files in here. */
export const intakeCarrier = (
  { store, intake }: { store: Store; intake: Intake },
  { accountId, priority, signal, holds, also, onTaken }: CarriedFiles,
): Carrier => ({
  maxBytes: Number.MAX_SAFE_INTEGER,
  passwords: async () => passwordsToTry(await readSetting(store, 'archive_passwords')),
  holds,
  async deliver(bytes, name, company) {
    const uploader = await store.accounts.findById(accountId);
    try {
      const taken = await intake.receiveApk(bytes, { uploader, name, priority, signal, also, ...company });
      await onTaken(taken);
      return { outcome: taken.created ? 'added' : 'held', sha256: taken.apk.sha256 };
    } catch (error) {
      const fault = storageFailureOf(error) ?? error;
      // A disk without room, a share that fails, a server that ends or has no place now: they say nothing about the file.
      const mayPass = fault instanceof Failure ? isPassing(fault) : isOfSystem(fault);
      const { message } = fault as Error;
      if (mayPass || signal.aborted) throw new CarrierError(message);
      return { outcome: 'refused', reason: message };
    }
  },
});
