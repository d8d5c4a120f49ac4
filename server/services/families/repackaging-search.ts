// Finds APKs by other signers whose code is that of an APK, whole or with more beside it. Knows no family.
import { tellingMethods } from '../../contract/engine/code-sketch.ts';
import type { SharingApk } from '../../store/repositories/code-sketch-repository.ts';
import type { FoundRepackaging } from '../../store/repositories/repackaging-repository.ts';
import type { Reads } from '../../store/store.ts';
import type { WeighedCodes } from './weighed-codes.ts';

/** Share of the code from which two APKs have the same code; a copy with parts added or removed stays above it. */
const sameShare = 0.75;
const maxCompared = 60;
/** Fewer groups of code in common are those of a library. */
const minGroups = 3;
/** The most copies from one signer: further versions say the same. */
const maxOfSigner = 2;
const maxSigners = 12;
/** The most copies that are kept, the oldest first: a few tell as much as all. */
const maxKept = 8;

export class RepackagingSearch {
  readonly #reads: Pick<Reads, 'familyPlaces' | 'repackagings' | 'signers'>;
  readonly #codes: WeighedCodes;

  constructor(reads: Pick<Reads, 'familyPlaces' | 'repackagings' | 'signers'>, codes: WeighedCodes) {
    this.#reads = reads;
    this.#codes = codes;
  }

  /**
   * Others with its code; none where nobody signed it, or where one signer's certificate vouches for the other's.
   * @param sharing those that share groups of code with it
   */
  async of(apkId: number, sharing: readonly SharingApk[]): Promise<FoundRepackaging[]> {
    const close = sharing.filter(({ groups }) => groups >= minGroups);
    if (close.length === 0) return [];
    const signerId = (await this.#reads.familyPlaces.find([apkId])).get(apkId)?.signerId ?? null;
    const code = (await this.#codes.of([apkId])).get(apkId);
    if (signerId === null || code === undefined || code.methods < tellingMethods) return [];
    const candidates = await this.#candidates(close, signerId);
    if (candidates.length === 0) return [];
    const history = await this.#reads.signers.historyOf(signerId);
    const bySigner = Map.groupBy(
      candidates.filter((other) => !history.has(other.signerId)),
      (other) => other.signerId,
    );
    const chosen = [...bySigner.values()].slice(0, maxSigners).flatMap((some) => some.slice(0, maxOfSigner));
    const found: FoundRepackaging[] = [];
    for (const [otherId, other] of await this.#codes.of(chosen.map(({ id }) => id))) {
      const { share, shared } = code.likeness(other);
      if (share >= sameShare && shared >= tellingMethods) found.push({ apkId, otherId, shared, methods: code.methods });
    }
    return found.toSorted((one, other) => one.otherId - other.otherId).slice(0, maxKept);
  }

  /** Those by other signers that share most, of these the oldest. */
  async #candidates(close: readonly SharingApk[], signerId: number): Promise<{ id: number; signerId: number }[]> {
    const signers = await this.#reads.repackagings.otherSigners(
      close.map(({ id }) => id),
      signerId,
    );
    return close
      .toSorted((one, other) => other.groups - one.groups || one.id - other.id)
      .flatMap(({ id }) => (signers.has(id) ? [{ id, signerId: signers.get(id)! }] : []))
      .slice(0, maxCompared);
  }
}
