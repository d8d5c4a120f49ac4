// Fuzz target: JSON that an app reads, and the same written again.
import { JsonReader } from '../../../server/engine/dynamic/java/json/json-text.ts';
import { javaModels } from '../../../server/engine/dynamic/java/models.ts';
import { JavaThrow } from '../../../server/engine/dynamic/machine/heap.ts';
import { RunEnd } from '../../../server/engine/dynamic/machine/limits.ts';
import { createMachine } from '../../../server/engine/dynamic/machine/machine.ts';
import { type FuzzTarget, textOf, texts } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/dynamic/java/json/'],
  isText: true,
  samples: texts(
    '{"a": [1, -2.5e3, 0x1F, 017, true, null, "\\u00e9\\n"], \'b\': {"c" => unquoted; d = 9007199254740993}}',
    '/* c */ [{}, [], , "x" ; 1] // end\n# more',
  ),
  words: ['{"', '":', '[[', '\\u', '/*', '*/', '//', '=>', 'NaN', '-0', '1e999', '\\ud800'],
  refusals: [JavaThrow, RunEnd],
  run(input) {
    const text = textOf(input);
    const machine = createMachine({ dexFiles: [], models: [javaModels] });
    let written = '';
    machine.run(() => {
      written = machine.toText(new JsonReader(machine, text, 0).value()).text;
    });
    return written;
  },
};
