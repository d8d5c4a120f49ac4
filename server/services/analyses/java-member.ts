// One method in the Java source of its class. Knows no app.
import type { JavaSource } from '../../contract/engine/java-source.ts';

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * The text of a method from its annotations to its closing brace; the whole source where it has no declaration there,
 * as lambdas and accessors have none.
 * @param method `Lcom/a/B;->m(I)V`
 */
export function javaMember({ source, spans }: Pick<JavaSource, 'source' | 'spans'>, method: string): string {
  const declared = spans.find(({ symbol, is_declaration }) => is_declaration === true && symbol === method);
  if (declared === undefined) return source;
  const lines = source.split('\n');
  let first = source.slice(0, declared.start).split('\n').length - 1;
  const indent = indentOf(lines[first]!);
  let last = first;
  // A method without a body ends with its declaration.
  if (lines[first]!.endsWith('{')) {
    last = lines.findIndex((line, place) => place > first && line.startsWith('}', indent) && indentOf(line) === indent);
    if (last < 0) last = lines.length - 1;
  }
  while (first > 0 && lines[first - 1]!.startsWith('@', indent) && indentOf(lines[first - 1]!) === indent) first--;
  return lines
    .slice(first, last + 1)
    .map((line) => line.slice(Math.min(indent, indentOf(line))))
    .join('\n');
}
