// A text as blocks that are compared one by one: the head of a class, its fields, each of its methods. Knows no other text.
import type { AlignedText } from '../../contract/process-line/tasks.ts';
import { smaliName } from '../formats/dex/smali-literal.ts';
import type { ChangedNames } from './changed-names.ts';

export interface Line {
  text: string;
  /** By which it is compared. */
  meant: string;
  /** It is compared by names that it does not have. */
  isRenamed?: boolean;
}

export interface Block {
  /** A member by its name and types in the other app. */
  key: string;
  lines: Line[];
}

/** What compilers write for debuggers; it changes with every line of the sources. */
const debugging = /^\s*\.(?:line \d|prologue|epilogue|source|local |end local|restart local|param p\d+, "[^"]*"\s+#)/;
/** Labels are numbered by the place that they stand at: one instruction more changes all behind it. */
const label = /(^|\s|\{):([a-z_]+)_[0-9a-f]+\b/g;

/** Characters of a line that is looked through for names. */
const maxNamed = 10_000;

/** @param names those of the other app, where this text is of the app before */
export function codeBlocks(given: AlignedText | null, names: ChangedNames | null): Block[] {
  if (given === null) return [];
  const { name, text } = given;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (name === null) return [{ key: '', lines: lines.map((line) => ({ text: line, meant: line })) }];
  const [owner = '', member] = name.split('->');
  const blocks = memberBlocks(owner, lines, names);
  if (member === undefined) return blocks;
  const place = member.indexOf('(');
  const wanted = names?.member(owner, member) ?? member;
  const spelled = smaliName(member.slice(0, place)) + member.slice(place);
  return blocks.filter(({ key }) => key === wanted || key === (names?.member(owner, spelled) ?? spelled)).slice(0, 1);
}

/** Members in the order of their keys, in which those of the other app stand too. */
function memberBlocks(owner: string, lines: readonly string[], names: ChangedNames | null): Block[] {
  const head: Block = { key: '', lines: [] };
  const members: Block[] = [];
  let block = head;
  for (const line of lines) {
    if (line === '' || line.startsWith('# ') || debugging.test(line)) continue;
    let renamed = line.length > maxNamed ? line : (names?.text(line) ?? line);
    if (line.startsWith('.method ') || line.startsWith('.field ')) {
      const [declared = ''] = line.startsWith('.field') ? line.split(' = ', 1) : [line];
      const signature = declared.slice(declared.lastIndexOf(' ') + 1);
      const key = names?.member(owner, signature) ?? signature;
      renamed = line.slice(0, declared.length - signature.length) + key + line.slice(declared.length);
      block = { key, lines: [] };
      members.push(block);
    }
    block.lines.push({ text: line, meant: renamed.replace(label, '$1:$2'), isRenamed: renamed !== line });
    if (/^\.end (?:method|field)/.test(line)) block.lines.push({ text: '', meant: '' });
  }
  return [head, ...members.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))];
}
