// The versions of a package, and what each step between them added and took away. Knows no report and no HTTP.
import {
  type LineageChange,
  type LineageCode,
  type LineagePart,
  lineageParts,
  maxLineageNames,
} from '../../contract/catalogue/lineage.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';
import type { TermChange, VersionPlace } from '../../store/repositories/lineage-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from './catalogue.ts';
import { sharedMethods } from './shared-methods.ts';

/** The part that shows what searches find in a field. */
const partOfField: Readonly<Record<string, LineagePart>> = {
  permission: 'permissions',
  domain: 'hosts',
  ip: 'hosts',
  tracker: 'trackers',
  library: 'libraries',
  activity: 'activities',
  service: 'services',
  receiver: 'receivers',
  provider: 'providers',
  api: 'apis',
  finding: 'findings',
  technique: 'techniques',
};

export type LineageChanges = Record<LineagePart, LineageChange>;

export interface LineageStep {
  apk: ApkRecord;
  /** SHA-256 of its certificate; null: unsigned. */
  signer: string | null;
  /** It is that of the APK that was asked for. */
  isSameSigner: boolean;
  /** The version before it by the same signer, else the one before it. */
  previous: ApkRecord | null;
  /** null where one of both has no static report. */
  changes: LineageChanges | null;
  code: LineageCode | null;
}

export interface LineagePage {
  count: number;
  position: number;
  signers: number;
  steps: LineageStep[];
}

export class Lineages {
  readonly #store: Store;
  readonly #catalogue: Catalogue;

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
  }

  /**
   * A page of the versions of an APK's package, the newest first. Of an APK without a package name there is but itself.
   * @throws Failure `not-found`
   */
  async of(sha256: string, page: { offset: number; limit: number }): Promise<LineagePage> {
    const apk = await this.#catalogue.get(sha256);
    const { places, ...numbers } =
      apk.packageName === '' ? alone(apk) : await this.#store.lineages.versions(apk.packageName, apk.id, page);
    return { ...numbers, steps: await this.#steps(places, apk.signerId) };
  }

  async #steps(places: readonly VersionPlace[], signerId: number | null): Promise<LineageStep[]> {
    const ids = [...new Set(places.flatMap((place) => [place.id, previousOf(place)]))].filter((id) => id !== null);
    const apks = await this.#store.apks.findByIds(ids);
    const signerIds = [...apks.values()].flatMap(({ signerId }) => (signerId === null ? [] : [signerId]));
    const signers = await this.#store.statistics.signers([...new Set(signerIds)]);
    const sketches = new Map((await this.#store.codeSketches.findAll(ids)).map((sketch) => [sketch.apkId, sketch]));
    const terms = await this.#store.lineages.terms(ids);
    const steps: LineageStep[] = [];
    for (const place of places) {
      const apk = apks.get(place.id);
      const previous = apks.get(previousOf(place) ?? 0) ?? null;
      // It may have been deleted meanwhile.
      if (apk === undefined) continue;
      const areBothRead = apk.isStaticAnalyzed && previous?.isStaticAnalyzed === true;
      steps.push({
        apk,
        signer: signers.get(apk.signerId ?? 0)?.sha256 ?? null,
        isSameSigner: apk.signerId === signerId,
        previous,
        changes: areBothRead ? await this.#changes(terms.get(previous.id), terms.get(apk.id)) : null,
        code: areBothRead ? codeChange(sketches.get(previous.id), sketches.get(apk.id)) : null,
      });
    }
    return steps;
  }

  async #changes(
    before: ReadonlySet<number> = new Set(),
    after: ReadonlySet<number> = new Set(),
  ): Promise<LineageChanges> {
    return changesByPart(await this.#store.lineages.changes(before, after, Object.keys(partOfField)));
  }
}

const alone = ({ id }: ApkRecord) => ({
  count: 1,
  position: 1,
  signers: 1,
  places: [{ id, sameSignerId: null, beforeId: null }],
});

const previousOf = ({ sameSignerId, beforeId }: VersionPlace): number | null => sameSignerId ?? beforeId;

function changesByPart(changes: readonly TermChange[]): LineageChanges {
  const none = () => ({ added_count: 0, removed_count: 0, added: [], removed: [] });
  const parts = Object.fromEntries(lineageParts.map((part) => [part, none()])) as unknown as LineageChanges;
  for (const { field, text, isAdded } of changes) {
    const part = parts[partOfField[field]!];
    const direction = isAdded ? 'added' : 'removed';
    part[`${direction}_count`] += 1;
    if (part[direction].length < maxLineageNames) part[direction].push(text);
  }
  return parts;
}

function codeChange(before: CodeSketchRecord | undefined, after: CodeSketchRecord | undefined): LineageCode | null {
  if (before === undefined || after === undefined) return null;
  const { first, second, both, isWhole } = sharedMethods(before, after);
  const scaled = (seen: number, of: number, methods: number) =>
    of === 0 ? methods : Math.round((seen / of) * methods);
  return {
    methods: after.methods,
    added: scaled(second - both, second, after.methods),
    removed: scaled(first - both, first, before.methods),
    is_estimated: !isWhole,
  };
}
