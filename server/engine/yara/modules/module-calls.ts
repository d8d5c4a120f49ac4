// Reads calls of module functions out of a condition's tokens. Knows which functions there are, no reports.

import { literalOf } from '../language/literals.ts';
import type { Token } from '../language/tokens.ts';
import { fileCallProblem, isFileCall } from './file-functions.ts';
import { callProblem, type ModuleArgument, type ModuleCall } from './module-functions.ts';

export interface ReadCall {
  call: ModuleCall;
  /** Offset behind it in the author's text. */
  end: number;
  /** Index behind its last token. */
  next: number;
  /** Why it cannot be answered; null where it can. */
  problem: { code: string; title: string; help: string | null } | null;
}

/**
 * `module . member . member ( arguments )`, blanks and comments between them wherever.
 * @param start index of the module's name
 */
export function readModuleCall(tokens: readonly Token[], start: number, imported: ReadonlySet<string>): ReadCall {
  const module = tokens[start]!.text;
  let path = module;
  let next = start + 1;
  while (tokens[next]?.text === '.' && tokens[next + 1]?.kind === 'word') {
    path += `.${tokens[next + 1]!.text}`;
    next += 2;
  }
  const isCall = tokens[next]?.text === '(' && path !== module;
  const read = isCall ? readArguments(tokens, next) : { given: [], next };
  const call = { path, arguments: read.given ?? [] };
  const end = tokens[read.next - 1]!.end;
  return { call, end, next: read.next, problem: problemOf(call, { isCall, isLiteral: read.given !== null, imported }) };
}

function problemOf(
  call: ModuleCall,
  { isCall, isLiteral, imported }: { isCall: boolean; isLiteral: boolean; imported: ReadonlySet<string> },
): ReadCall['problem'] {
  const [module] = call.path.split('.');
  if (!imported.has(module!)) {
    const help = `add \`import "${module}"\` before the rule`;
    return { code: 'unknown-identifier', title: `unknown identifier \`${module}\``, help };
  }
  if (!isLiteral) {
    const taken = `\`${call.path}\` takes texts, regular expressions or numbers that are written out`;
    return { code: 'wrong-arguments', title: `wrong arguments: ${taken}`, help: null };
  }
  const title = (isFileCall(call) ? fileCallProblem : callProblem)(call, isCall);
  return title === null ? null : { code: 'module-call', title, help: null };
}

/** From the opening parenthesis past the closing one; null where an argument is not a literal. */
function readArguments(tokens: readonly Token[], open: number): { given: ModuleArgument[] | null; next: number } {
  const given: ModuleArgument[] = [];
  let isLiteral = true;
  let depth = 0;
  for (let next = open; next < tokens.length; next++) {
    const token = tokens[next]!;
    if (token.text === '}') return { given: null, next };
    if (token.text === '(') depth += 1;
    else if (token.text === ')') {
      depth -= 1;
      if (depth === 0) return { given: isLiteral ? given : null, next: next + 1 };
    } else if (token.text !== ',') {
      const argument = literalOf(token);
      if (argument === null) isLiteral = false;
      else given.push(argument);
    }
  }
  return { given: isLiteral ? given : null, next: tokens.length };
}
