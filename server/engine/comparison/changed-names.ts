// The names that changed from one app to the other, and texts with the names of the other. Knows no code.
import type { ComparedList, Comparison } from '../../contract/engine/comparison.ts';
import type { PackedBytes } from '../../vault/packed-bytes.ts';
import { unpackJson } from '../../vault/packed-json.ts';

/** A class, with a member behind it where one is named. */
const reference =
  /(L[^\s;:"'(){},[\]]+;)(?:->([^\s(:,"{}]+)(\([^\s)]*\)\[*(?:L[^\s;]+;|[VZBSCIJFD])|:\[*(?:L[^\s;]+;|[ZBSCIJFD])))?/g;

export class ChangedNames {
  readonly #classes: ReadonlyMap<string, string>;
  readonly #members: (owner: string, signature: string) => string | undefined;

  /** @param members the new name of a member, by its class, and its name and descriptor before */
  constructor(classes: ReadonlyMap<string, string>, members: (owner: string, signature: string) => string | undefined) {
    this.#classes = classes;
    this.#members = members;
  }

  /** A member by its name and types in the other app. @param signature `m(I)V` or `f:I` */
  member(owner: string, signature: string): string {
    const place = Math.max(0, signature.search(/[(:]/));
    return (this.#members(owner, signature) ?? signature.slice(0, place)) + this.text(signature.slice(place));
  }

  /** A line with the names of the other app in it. */
  text(line: string): string {
    return line.replace(reference, (_, owner: string, name?: string, descriptor = '') => {
      const type = this.#classes.get(owner) ?? owner;
      return name === undefined ? type : `${type}->${this.member(owner, name + descriptor)}`;
    });
  }
}

/** Those that a comparison lists. @throws DamagedReportError */
export function changedNames(packed: PackedBytes | null): ChangedNames | null {
  if (packed === null) return null;
  const { classes, methods, fields } = unpackJson<Comparison>(packed).parts;
  const renamed = ({ differences }: ComparedList) =>
    differences.flatMap(({ name, to }) => (to === null ? [] : [[name, to] as const]));
  const members = new Map([...renamed(methods), ...renamed(fields)].map(([name, to]) => [name, memberName(to)]));
  return new ChangedNames(new Map(renamed(classes)), (owner, signature) => members.get(`${owner}->${signature}`));
}

const memberName = (key: string): string => key.slice(key.indexOf('->') + 2).split(/[(:]/, 1)[0]!;
