// Names that are proposed for a family, by what is known of its members. Reads nothing.
import type { NameSource, ProposedName } from '../../contract/catalogue/family.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { CountedName } from '../../store/repositories/family-evidence-repository.ts';

export interface KnownOfMembers {
  apks: readonly Pick<ApkRecord, 'id' | 'app' | 'packageName' | 'family' | 'known'>[];
  signatures: readonly { apkId: number; name: string }[];
  rules: readonly CountedName[];
  /** Texts of their own code that all have and few others, the most telling first. */
  strings: readonly string[];
}

const maxNames = 5;
const maxLength = 100;
/** Share of the members that must have a name which was not meant for a family, such as that of an app. */
const leastShare = 0.5;

const reasons: Readonly<Record<NameSource, string>> = {
  verdict: 'have it in their verdict',
  list: 'are called so by lists of known files',
  antivirus: 'are called so by the antivirus',
  rule: 'match the rule',
  app: 'have it as the name of the app',
  package: 'have packages that begin so',
  string: 'have it in their code',
};

/** What antivirus names are made of besides families: platforms, kinds, vendors' words. */
const generic =
  /^(?:android\w*|andr|androidos|apk|dex|trojan\w*|troj|malware|malicious|unwanted|riskware|risktool|adware|adlibrary|spyware|spy|banker|bank|backdoor|ransom\w*|rat|dropper|downloader|dldr|agent|gen\w*|generic\w*|heur\w*|heuristic|variant|suspicious|suspect|unix|linux|java|win|win32|pua|pup|potentially|not|virus|worm|exploit|hacktool|tool|monitor|sms|smssend|smspay|fakeapp|fake|other|multi|artemis|attribute|highconfidence|unofficial|clam\w*|a|b|c|d)$/i;

/** The word of an antivirus' name that tells the family: `Andr.Banker.Anubis-6333913-0`. Null: there is none. */
function familyWord(signature: string): string | null {
  const words = signature.split(/[^\p{L}\p{N}]+/u).filter((word) => /^\p{L}[\p{L}\p{N}]{2,}$/u.test(word));
  return words.find((word) => !generic.test(word)) ?? null;
}

/** Texts that could be a name: one word that is none of every app's. */
const nameLike = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^\p{L}[\p{L}\p{N}_-]{3,29}$/u.test(text) && !generic.test(text));

/** The longest common beginning of several names that ends before a dot. */
function commonStart(names: readonly string[]): string {
  const all = names.map((name) => name.split('.'));
  const first = all[0] ?? [];
  const shared = first.findIndex((word, place) => all.some((other) => other[place] !== word));
  const words = shared < 0 ? first : first.slice(0, shared);
  return words.length > 1 ? words.join('.') : '';
}

/** How many different APKs have each name; names are the same in any case, and shown as they stand most often. */
function counted(named: readonly { apkId: number; name: string }[]): CountedName[] {
  const groups = Map.groupBy(
    named.filter(({ name }) => name.trim() !== ''),
    ({ name }) => name.trim().toLowerCase(),
  );
  return [...groups.values()]
    .map((some) => {
      const forms = [...Map.groupBy(some, ({ name }) => name.trim())].toSorted((a, b) => b[1].length - a[1].length);
      return { name: forms[0]![0].slice(0, maxLength), apks: new Set(some.map(({ apkId }) => apkId)).size };
    })
    .toSorted((one, other) => other.apks - one.apks || (one.name < other.name ? -1 : 1));
}

/** Names for a family, the most telling first, each with its reason. @returns none twice, none where nothing tells one */
export function proposedNames({ apks, signatures, rules, strings }: KnownOfMembers): ProposedName[] {
  const count = apks.length;
  const of = (names: (apk: KnownOfMembers['apks'][number]) => readonly string[]) =>
    counted(apks.flatMap((apk) => names(apk).map((name) => ({ apkId: apk.id, name }))));
  const common = (names: readonly CountedName[]) => names.filter(({ apks: having }) => having >= count * leastShare);
  const start = commonStart(apks.map(({ packageName }) => packageName));
  const words = signatures.flatMap(({ apkId, name }) => {
    const word = familyWord(name);
    return word === null ? [] : [{ apkId, name: word }];
  });
  const told: [NameSource, CountedName[]][] = [
    ['verdict', of(({ family }) => [family])],
    ['list', of(({ known }) => known.flatMap(({ kind, name }) => (kind === 'bad' ? [name] : [])))],
    ['antivirus', counted(words)],
    ['rule', common(rules)],
    ['app', common(of(({ app }) => [app]))],
    ['package', start === '' ? [] : [{ name: start, apks: count }]],
    ['string', nameLike(strings).map((name) => ({ name, apks: count }))],
  ];
  const seen = new Set<string>();
  return told
    .flatMap(([source, names]) =>
      names.map(({ name, apks: having }) => ({
        name,
        source,
        reason: `${having} of ${count} members ${reasons[source]}`,
      })),
    )
    .filter(({ name }) => {
      const isNew = !seen.has(name.toLowerCase());
      seen.add(name.toLowerCase());
      return isNew;
    })
    .slice(0, maxNames);
}
