// A method as one switch in a loop, which can express any control flow: for methods that nested statements cannot. Knows no loops.
import type { Expression, Label, Local, Statement } from '../expressions/tree.ts';
import type { Node } from './graph.ts';

/** The label of the loop: no block has it. */
const dispatcher: Label = 1 << 30;

/** @param state a variable that says which block is next */
export function dispatched(nodes: readonly Node[], state: Local): Statement[] {
  const number = (value: number): Expression => ({ kind: 'number', value, at: 0 });
  const goTo = (label: Label): Statement[] => [
    { kind: 'set', local: state, value: number(label), isDeclaration: false },
    { kind: 'jump', way: 'continue', label: dispatcher },
  ];
  const ended = ({ ending }: Node): Statement[] => {
    switch (ending.kind) {
      case 'leave':
        return [];
      case 'goto':
        return goTo(ending.to);
      case 'branch':
        return [{ kind: 'if', condition: ending.condition, yes: goTo(ending.yes), no: goTo(ending.no) }];
      case 'switch':
        return [
          {
            kind: 'switch',
            value: ending.value,
            label: dispatcher + 1,
            cases: [
              ...ending.targets.map(({ key, to }) => ({ keys: [key], isDefault: false, body: goTo(to) })),
              { keys: [], isDefault: true, body: goTo(ending.otherwise) },
            ],
          },
        ];
    }
  };
  const cases = nodes.map((node, index) => {
    const handlers = node.catches;
    const statements: Statement[] =
      handlers.length === 0
        ? [...node.statements]
        : [
            {
              kind: 'try',
              body: [...node.statements],
              catches: handlers.map(({ type, local, handler }) => ({ type, local, handler, body: goTo(handler) })),
            },
          ];
    return { keys: index === 0 ? [] : [index], isDefault: index === 0, body: [...statements, ...ended(node)] };
  });
  return [
    { kind: 'set', local: state, value: number(0), isDeclaration: false },
    {
      kind: 'loop',
      label: dispatcher,
      form: 'forever',
      condition: null,
      body: [
        {
          kind: 'switch',
          value: { kind: 'local', local: state, at: 0 },
          label: dispatcher + 2,
          cases: [...cases.slice(1), cases[0]!],
        },
      ],
    },
  ];
}
