// The piece of a method's code that tells most, as bytes that other builds have too. Knows no app.
import { maxPieceBytes } from '../../contract/engine/rule-features.ts';
import { instructionPattern } from '../code/instruction-pattern.ts';
import { type Instruction, instructionAt } from '../formats/dex/instruction.ts';

export interface CodePiece {
  /** Pairs of hexadecimal digits and `??`. */
  pattern: string[];
  score: number;
}

/** Instructions of a method that are looked at, and of a piece. */
const maxInstructions = 4000;
const maxOfPiece = 16;
/** A piece that says less is in other code too. */
const minFixedBytes = 18;
const minScore = 24;
/** Bytes one behind the other without which a search for the piece is slow. */
const minRun = 4;

/** How much an instruction tells: what computes more than what calls and moves. The first that fits counts. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/^const-wide/, 7],
  [/^const(?:\/high16)?$/, 6],
  [/^const\/16/, 4],
  [/^(?:xor|shl|shr|ushr|and|or|mul|rem|div)-.*lit/, 6],
  [/^(?:xor|shl|shr|ushr|and|or|mul|rem|div)-/, 5],
  [/^(?:add|sub|rsub|neg|not)-|^rsub|^cmp|-to-/, 4],
  [/^aget|^aput|^fill-array|^filled-new|^array-length|^new-array/, 4],
  [/^if-|^packed|^sparse/, 3],
  [/^invoke|^[is](?:get|put)|^const-string|^new-instance|^check-cast|^instance-of/, 2],
  [/^(?:nop|goto|move|return)/, 0.5],
];

const weightOf = ({ opcode: { mnemonic } }: Instruction): number =>
  weights.find(([name]) => name.test(mnemonic))?.[1] ?? 1;

/** The scores of mnemonics do not change. */
const known = new Map<string, number>();
function scoreOf(instruction: Instruction): number {
  const { mnemonic } = instruction.opcode;
  let score = known.get(mnemonic);
  if (score === undefined) {
    score = weightOf(instruction);
    known.set(mnemonic, score);
  }
  return score;
}

/** Zeros alone are everywhere. */
const hasRun = (pattern: readonly string[]): boolean =>
  pattern
    .join('')
    .split(/(?:\?\?)+/)
    .some((run) => run.length >= 2 * minRun && new Set(run.match(/../g)).size > 1);

/**
 * The stretch of at most `maxPieceBytes` bytes that tells most; null where none tells enough.
 * @param units its instructions from `start` to before `end`
 */
export function tellingPiece(units: Uint16Array, start: number, end: number): CodePiece | null {
  const code = units.subarray(start, end);
  const tokens: { pattern: string[]; score: number; name: string }[] = [];
  for (let at = 0; at < code.length && tokens.length < maxInstructions; ) {
    const instruction = instructionAt(code, at);
    // What stands behind the code, and a last instruction that is cut off, belong to no piece.
    if (instruction.payload !== null || instruction.isTruncated) break;
    tokens.push({
      pattern: instructionPattern(code, instruction, true),
      score: scoreOf(instruction),
      name: instruction.opcode.mnemonic,
    });
    at += instruction.length;
  }
  let best = { from: 0, to: 0, score: 0 };
  for (let from = 0; from < tokens.length; from++) {
    const names = new Set<string>();
    let bytes = 0;
    let score = 0;
    for (let to = from; to < tokens.length && to - from < maxOfPiece; to++) {
      const token = tokens[to]!;
      bytes += token.pattern.length;
      if (bytes > maxPieceBytes) break;
      // The same operation again tells less.
      score += names.has(token.name) ? token.score / 2 : token.score;
      names.add(token.name);
      if (score > best.score) best = { from, to: to + 1, score };
    }
  }
  const pattern = tokens.slice(best.from, best.to).flatMap((token) => token.pattern);
  while (pattern[0] === '??') pattern.shift();
  while (pattern.at(-1) === '??') pattern.pop();
  const fixed = pattern.filter((pair) => pair !== '??').length;
  if (best.score < minScore || fixed < minFixedBytes || !hasRun(pattern)) return null;
  return { pattern, score: Math.round(best.score) };
}
