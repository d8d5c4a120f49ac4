// How tightly the operators of Java bind. Knows no expressions.

/** How tightly operators bind, loosest first. */
export const binding = {
  any: 0,
  choice: 2,
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '<': 9,
  '<<': 10,
  '+': 11,
  '*': 12,
  unary: 13,
  postfix: 15,
} as const;

export const levels: Readonly<Record<string, number>> = {
  '|': binding['|'],
  '^': binding['^'],
  '&': binding['&'],
  '==': binding['=='],
  '!=': binding['=='],
  '<': binding['<'],
  '>': binding['<'],
  '<=': binding['<'],
  '>=': binding['<'],
  '<<': binding['<<'],
  '>>': binding['<<'],
  '>>>': binding['<<'],
  '+': binding['+'],
  '-': binding['+'],
  '*': binding['*'],
  '/': binding['*'],
  '%': binding['*'],
};
