import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import type { HeapObject, JavaArray } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';

test('a program has whole lines of its input, and what is flushed or left at the end, each once', () => {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const lines: string[] = [];
  const none = new Uint8Array(0);
  setJavaHooks(machine, {
    exec: () => ({ output: none, error: none, exitCode: 0 }),
    processInput: (_machine, _start, line) => {
      lines.push(line);
      return none;
    },
  });
  const isFine = machine.run(() => {
    const runtime = machine.callStatic('Ljava/lang/Runtime;', 'getRuntime()Ljava/lang/Runtime;') as HeapObject;
    const exec = 'exec(Ljava/lang/String;)Ljava/lang/Process;';
    const process = machine.call(runtime, exec, machine.string('nc host.example 80')) as HeapObject;
    const out = machine.call(process, 'getOutputStream()Ljava/io/OutputStream;') as HeapObject;
    const write = (text: string) => machine.call(out, 'write([B)V', machine.byteArray(Buffer.from(text)) as JavaArray);
    write('one');
    write(' line\ntwo\nwithout an end');
    machine.call(out, 'flush()V');
    machine.call(out, 'flush()V');
    write('the last');
    machine.call(out, 'close()V');
  });
  assert.ok(isFine);
  assert.deepEqual(lines, ['one line', 'two', 'without an end', 'the last']);
});
