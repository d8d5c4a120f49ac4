// Which APKs of the catalogue are like another, by what their own code does. Knows nothing of code or HTTP.
import type { SimilarityKind } from '../../contract/catalogue/similar-apk.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import type { Catalogue } from './catalogue.ts';
import { ComparedCode } from './code-likeness.ts';
import type { MethodWeights } from './method-weights.ts';

export interface SimilarApk {
  apk: ApkRecord;
  /** 0 to 1 */
  score: number;
  kinds: SimilarityKind[];
  reason: string;
}

/** APKs that are compared in full, by the groups they share. */
const maxCandidates = 200;
const maxResults = 50;
/** Less is what strangers share. */
const minScore = 0.1;

export class SimilarApks {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #weights: MethodWeights;

  constructor(store: Store, catalogue: Catalogue, weights: MethodWeights) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#weights = weights;
  }

  /**
   * The APKs whose own code is most like one's, best first.
   * @throws Failure `not-found`; `no-report` where its code was not read yet
   */
  async of(sha256: string): Promise<SimilarApk[]> {
    const apk = await this.#catalogue.get(sha256);
    const sketch = await this.#store.codeSketches.find(apk.id);
    if (sketch === null) throw new Failure('no-report');
    const ids = await this.#store.codeSketches.candidates(apk.id, maxCandidates);
    const others = await this.#store.codeSketches.findAll(ids);
    const code = new ComparedCode(sketch, await this.#weights.current());
    const best = others
      .map((other) => ({ id: other.apkId, ...code.with(other) }))
      .filter(({ score }) => score >= minScore)
      .sort((one, other) => other.score - one.score || other.id - one.id)
      .slice(0, maxResults);
    const apks = await this.#store.apks.findByIds(best.map(({ id }) => id));
    return best.flatMap(({ id, score, shared }) => {
      const other = apks.get(id);
      return other === undefined ? [] : [described(apk, other, sketch.methods, shared, score)];
    });
  }
}

function described(apk: ApkRecord, other: ApkRecord, methods: number, shared: number, score: number): SimilarApk {
  const isSameSigner = apk.signerId !== null && apk.signerId === other.signerId;
  const isSamePackage = apk.packageName !== '' && apk.packageName === other.packageName;
  const kinds: SimilarityKind[] = ['code'];
  if (isSameSigner) kinds.push('signer');
  if (isSamePackage) kinds.push('package');
  const signer = isSameSigner ? 'same signer' : 'another signer';
  const parts = [`${shared} of ${methods} own methods`, ...(isSamePackage ? ['same package'] : []), signer];
  return { apk: other, score: Math.round(score * 1000) / 1000, kinds, reason: parts.join(', ') };
}
