// An adb server and its devices: lists them, runs commands, moves files. Knows no package and no APK.
import { AdbConnection, AdbError, plainText } from './adb-connection.ts';

/** A device as the server lists it. */
export interface ListedDevice {
  serial: string;
  /** `device` where it can be used, else `offline`, `unauthorized`, `recovery`, `bootloader` … */
  state: string;
  model: string;
  product: string;
}

export interface ShellResult {
  output: string;
  /** 0 to 255. */
  exitCode: number;
}

/** Bytes that a command may print unless its caller says otherwise. */
const defaultMaxOutput = 4 * 1024 ** 2;
/** Devices that are listed at most: more than anybody connects to one machine. */
const maxDevices = 100;
/** Milliseconds in which a server answers for itself. */
const serverPatience = 5_000;
/** Milliseconds without a byte while a file is moved. */
const transferPatience = 30_000;
/** Bytes of one DATA packet, as SYNC.TXT limits them. */
const syncData = 65_536;
/** Bytes of a path, as adbd limits them. */
const maxPath = 1024;
/** Packets of the shell may be as large as the transport's own. */
const maxShellPacket = 1024 ** 2;

const shellIds = { output: 1, complaint: 2, exit: 3 } as const;

/** A serial as it stands in our addresses and in requests to the server: `emulator-5554`, `10.0.0.5:5555`, `R58M12ABCDE`. */
export const isSerial = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(text);

/** `serial  state key:value key:value`, as `adb devices -l` prints it; lines that are none are left out. */
function listedDevices(text: string): ListedDevice[] {
  const found = new Map<string, ListedDevice>();
  for (const line of text.split('\n')) {
    const [, serial = '', state = '', more = ''] = /^(\S+)\s+(\S+)(.*)$/.exec(line.trim()) ?? [];
    if (!isSerial(serial) || found.has(serial)) continue;
    if (found.size >= maxDevices) break;
    const value = (name: string) => plainText(new RegExp(`\\s${name}:(\\S+)`).exec(more)?.[1] ?? '', 100);
    // `no permissions (…)` is a state of two words.
    const shown = state === 'no' ? 'no permissions' : plainText(state, 40);
    found.set(serial, { serial, state: shown, model: value('model').replaceAll('_', ' '), product: value('product') });
  }
  return [...found.values()];
}

/** Services of the server itself: https://android.googlesource.com/platform/packages/modules/adb/+/refs/heads/main/docs/dev/services.md */
export class AdbServer {
  readonly #address: string;

  /** @param address `host:port` */
  constructor(address: string) {
    this.#address = address;
  }

  async #ask(service: string, signal: AbortSignal): Promise<string> {
    const connection = await AdbConnection.open(this.#address, serverPatience, signal);
    try {
      await connection.request(service, 'server');
      return await connection.text();
    } catch (error) {
      // Whatever ends a conversation with the server itself is the server's fault.
      throw error instanceof AdbError ? new AdbError('server', error.message) : error;
    } finally {
      connection.close();
    }
  }

  /** Its protocol version, 41 since 2019. @throws AdbError `server` */
  async version(signal: AbortSignal): Promise<number> {
    const answer = await this.#ask('host:version', signal);
    if (!/^[0-9a-fA-F]{1,8}$/.test(answer)) throw new AdbError('server', 'what answers is no adb server');
    return Number.parseInt(answer, 16);
  }

  /** @throws AdbError `server` */
  async devices(signal: AbortSignal): Promise<ListedDevice[]> {
    return listedDevices(await this.#ask('host:devices-l', signal));
  }

  /** @param serial of a listed device */
  device(serial: string): AdbDevice {
    return new AdbDevice(this.#address, serial);
  }
}

/** What one device does for us. Needs Android 7, whose shell tells how a command ended. */
export class AdbDevice {
  readonly serial: string;
  readonly #address: string;

  constructor(address: string, serial: string) {
    this.#address = address;
    this.serial = serial;
  }

  async #open(service: string, patience: number, signal: AbortSignal): Promise<AdbConnection> {
    const connection = await AdbConnection.open(this.#address, patience, signal);
    try {
      await connection.request(`host:transport:${this.serial}`, 'device');
      await connection.request(service, 'device');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /**
   * Runs a command line. What it prints beyond the limit ends it.
   * @param command for the device's shell; nothing in it may come from a device unchecked
   * @param patience milliseconds for the whole of it
   * @throws AdbError `device`; `file` where it prints too much
   */
  async shell(
    command: string,
    { signal, patience = 15_000, maxOutput = defaultMaxOutput }: ShellOptions,
  ): Promise<ShellResult> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const connection = await this.#open(`shell,v2,raw:${command}`, patience, bounded);
    try {
      const pieces: Buffer[] = [];
      let printed = 0;
      for (;;) {
        const header = await connection.exactly(5);
        const id = header[0]!;
        const length = header.readUInt32LE(1);
        if (length > maxShellPacket) throw new AdbError('device', 'the device does not keep to the shell protocol');
        if (id === shellIds.exit) {
          const exitCode = length === 0 ? 255 : (await connection.exactly(length))[0]!;
          return { output: Buffer.concat(pieces).toString(), exitCode };
        }
        printed += length;
        if (printed > maxOutput) throw new AdbError('file', 'the device prints more than anybody wants to read');
        const piece = await connection.exactly(length);
        if (id === shellIds.output || id === shellIds.complaint) pieces.push(piece);
        else throw new AdbError('device', 'the device does not keep to the shell protocol');
      }
    } finally {
      connection.close();
    }
  }

  /**
   * The bytes of a file, as they come: https://android.googlesource.com/platform/packages/modules/adb/+/refs/heads/main/docs/dev/sync.md
   * @throws AdbError `file` where the device refuses it, `device`
   */
  async *pull(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const connection = await this.#open('sync:', transferPatience, signal);
    try {
      await connection.write(syncRequest('RECV', path));
      for (;;) {
        const { id, value } = await syncAnswer(connection);
        if (id === 'DONE') break;
        if (id !== 'DATA' || value > syncData) throw new AdbError('device', 'the device does not keep to the protocol');
        yield await connection.exactly(value);
      }
      await connection.write(syncPacket('QUIT', 0));
    } finally {
      connection.close();
    }
  }

  /**
   * Writes a file that its owner alone may change.
   * @throws AdbError `file` where the device refuses it, `device`; the bytes' own error
   */
  async push(bytes: AsyncIterable<Uint8Array>, path: string, signal: AbortSignal): Promise<void> {
    const connection = await this.#open('sync:', transferPatience, signal);
    try {
      await connection.write(syncRequest('SEND', `${path},${0o100644}`));
      for await (const piece of bytes) {
        for (let at = 0; at < piece.length; at += syncData) {
          const part = piece.subarray(at, at + syncData);
          await connection.write(syncPacket('DATA', part.length));
          await connection.write(part);
        }
      }
      await connection.write(syncPacket('DONE', Math.floor(Date.now() / 1000)));
      const { id } = await syncAnswer(connection);
      if (id !== 'OKAY') throw new AdbError('device', 'the device does not keep to the protocol');
      await connection.write(syncPacket('QUIT', 0));
    } finally {
      connection.close();
    }
  }
}

export interface ShellOptions {
  signal: AbortSignal;
  patience?: number;
  /** Bytes. */
  maxOutput?: number;
}

function syncPacket(id: string, value: number): Buffer {
  const packet = Buffer.alloc(8);
  packet.write(id, 'latin1');
  packet.writeUInt32LE(value, 4);
  return packet;
}

function syncRequest(id: string, path: string): Buffer {
  const text = Buffer.from(path);
  if (text.length > maxPath) throw new AdbError('file', 'the path is too long for adb');
  return Buffer.concat([syncPacket(id, text.length), text]);
}

/** @throws AdbError `file` with the device's own words where it refuses */
async function syncAnswer(connection: AdbConnection): Promise<{ id: string; value: number }> {
  const header = await connection.exactly(8);
  const id = header.toString('latin1', 0, 4);
  const value = header.readUInt32LE(4);
  if (id !== 'FAIL') return { id, value };
  throw new AdbError('file', plainText((await connection.exactly(Math.min(value, maxPath))).toString()));
}
