// Puts the simulated phone and internet under a machine's core library, and tells the recorder of their use. Knows no
// framework; models find the device by `worldOf`.
import { type ProcessStart, setJavaHooks } from '../java/hooks.ts';
import { stringHash } from '../java/lang/number-text.ts';
import { setVirtualNetwork, type HttpRequest as VirtualRequest } from '../java/virtual-network.ts';
import type { Taint } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { type VirtualFiles, virtualFiles } from '../machine/virtual-files.ts';
import { recorderOf } from '../report/recorder.ts';
import { Conversation } from './conversation.ts';
import { type Device, phone, systemFiles, systemFolders, systemProperties } from './device.ts';
import { installFile } from './installs.ts';
import { type CannedResponse, type HttpRequest, Internet, printHttpHead, printHttpResponse } from './internet.ts';
import { type InstalledApp, installedApps, sharedFiles } from './people.ts';
import { Prompts } from './prompts.ts';
import { type PhoneShell, runCommand, shellOf } from './shell.ts';
import { Visitor } from './visitor.ts';

/** Who connects to one port: each says something else. */
const maxVisits = 5;
/** Ports to which somebody connects. */
const maxListened = 8;

export interface World {
  device: Device;
  /** Whether the owner lets apps be root; no file shows it. */
  hasRoot: boolean;
  /** Apps on the phone but the one that runs. */
  readonly installed: InstalledApp[];
  /** Puts another one there. */
  install(packageName: string): void;
  readonly internet: Internet;
  readonly prompts: Prompts;
}

function makeWorld(responses: readonly CannedResponse[]): World {
  const prompts = new Prompts();
  const installed = [...installedApps];
  const install = (packageName: string) => {
    const isNew = packageName !== '' && !installed.some((each) => each.packageName === packageName);
    if (isNew) installed.push({ packageName, label: packageName, version: '1.0', isSystem: false });
  };
  return { device: phone, hasRoot: false, installed, install, internet: new Internet(responses, prompts), prompts };
}

/** The run's world. */
export const worldOf = (machine: Machine): World => machine.state('world', () => makeWorld([]));

/** Where apps may write; the rest of the tree is the system's. */
const writable =
  /^\/(?:data\/(?:data|user_de\/0|local\/tmp|misc\/app)|storage\/emulated\/0|cache|mnt\/media_rw|dev\/null)(?:\/|$)/;
/** Preferences, which only the app itself reads: data stored there is not leaked. */
const preferences = /^\/data\/data\/[^/]+\/shared_prefs\//;
/** What apps cannot read without root. */
const unreadable = /^\/(?:data\/(?:system|misc)|root|dev\/(?:mem|kmem|block))(?:\/|$)/;
/** The phone itself, where no server listens: apps look there for the tools of analysts. */
const loopback = /^(?:127\.|0\.0\.0\.0$|::1$)/;

/** Makes the world of a run. @param responses what servers answer, before the plausible defaults */
export function setUpWorld(machine: Machine, responses: readonly CannedResponse[]): World {
  const world = machine.state<World>('world', () => makeWorld(responses));
  setUpFiles(machine, virtualFiles(machine));
  setUpNetwork(machine, world);
  setUpHooks(machine, world);
  return world;
}

function setUpFiles(machine: Machine, files: VirtualFiles): void {
  const recorder = recorderOf(machine);
  files.addLink('/sdcard', '/storage/emulated/0');
  files.addLink('/mnt/sdcard', '/storage/emulated/0');
  files.addLink('/storage/self/primary', '/storage/emulated/0');
  files.addLink('/data/user/0', '/data/data');
  for (const folder of ['/data/app', '/data/local/tmp', '/system/bin', '/dev', '/storage/emulated/0', '/cache']) {
    files.addDirectory(folder);
  }
  for (const folder of systemFolders) files.addDirectory(folder);
  files.addFile('/dev/null', new Uint8Array(0));
  for (const [path, text] of Object.entries(systemFiles)) {
    files.addFile(path, () => Buffer.from(text, 'latin1'), { isReadOnly: true });
  }
  const taint = machine.source('TAINT_FILECONTENT', 'shared storage');
  for (const [path, text] of Object.entries(sharedFiles)) {
    const modified = machine.clock.wall - 86_400_000;
    files.addFile(`/storage/emulated/0/${path}`, () => Buffer.from(text, 'latin1'), { modified, taint });
  }
  files.mayWrite = (path) => writable.test(path);
  files.mayRead = (path) => !unreadable.test(path);
  files.observer = {
    opened: (_machine, path) => recorder.fileOpen(path),
    read: (_machine, path, data, taint) => recorder.fileRead(path, data, taint),
    written: (_machine, path, data, taint) => {
      recorder.left.wrote(path);
      if (path !== '/dev/null') recorder.fileWrite(path, data, taint, preferences.test(path) ? '' : undefined);
    },
    gone: (_machine, path, bytes) => recorder.left.gone(path, bytes),
    deleted: (_machine, path) => recorder.fileDelete(path),
    renamed: (_machine, from, to) => {
      recorder.left.renamed(from, to);
      recorder.event('file', `renamed ${from} to ${to}`);
    },
  };
}

function setUpNetwork(machine: Machine, { device, internet }: World): void {
  const recorder = recorderOf(machine);
  const lookUp = (host: string): string => {
    const address = internet.resolve(host);
    if (address !== host && host !== 'localhost') recorder.dns(host, address);
    return address;
  };
  const exchange = (request: HttpRequest, taint: Taint, sink: string): ReturnType<Internet['answer']> => {
    lookUp(request.host);
    const { host, port } = request;
    const peer = { host, port, isEncrypted: request.scheme === 'https' };
    const head = `${request.method} ${request.path} HTTP/1.1\r\n${request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    recorder.netOpen(host, port);
    recorder.netSend(peer, Buffer.concat([Buffer.from(head), request.body]), taint, sink);
    const answer = internet.answer(request);
    recorder.http({ ...request, taint }, { status: answer.status, head: printHttpHead(answer), body: answer.body });
    recorder.netReceive(host, port, printHttpResponse(answer));
    recorder.netClose(host, port);
    return answer;
  };
  const transfer = (url: URL, { body, taint }: VirtualRequest): void => {
    const host = internet.nameOf(url.hostname);
    const port = url.port === '' ? 21 : Number(url.port);
    lookUp(host);
    recorder.netOpen(host, port);
    const sent = Buffer.concat([Buffer.from(`${url.pathname}\r\n`), body]);
    recorder.netSend({ host, port, isEncrypted: false }, sent, taint, 'URLConnection');
    recorder.netClose(host, port);
    recorder.event('network', `FTP ${url.href}`);
  };
  let nextPort = 40_112;
  /** By port, how many have connected to it. */
  const visits = new Map<number, number>();
  setVirtualNetwork(machine, {
    resolve: (_machine, host, taint = 0) => {
      if (taint !== 0) recorder.leak('network', 'InetAddress.getByName', host, taint);
      return [lookUp(host)];
    },
    http: (_machine, request) => {
      const url = URL.canParse(request.url) ? new URL(request.url) : null;
      if (url === null || url.hostname === '') return null;
      if (url.protocol === 'ftp:') {
        transfer(url, request);
        return { status: 200, reason: 'OK', headers: [], body: new Uint8Array(0) };
      }
      const scheme = url.protocol === 'https:' ? 'https' : 'http';
      const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
      const host = internet.nameOf(url.hostname.replace(/^\[|\]$/g, ''));
      const path = `${url.pathname}${url.search}`;
      const hasHost = request.headers.some(([name]) => name.toLowerCase() === 'host');
      const headers = hasHost ? request.headers : [['Host', url.host] as const, ...request.headers];
      const { method, body } = request;
      return exchange({ scheme, host, port, path, method, headers, body }, request.taint, 'URLConnection');
    },
    connect: (_machine, host, port) => {
      const name = internet.nameOf(host);
      const remoteAddress = lookUp(name);
      if (loopback.test(remoteAddress)) return null;
      recorder.netOpen(name, port);
      recorder.event('network', `connected to ${name}:${port}`);
      return new Conversation({ internet, host: name, port, remoteAddress, localPort: nextPort++ });
    },
    listens: (_machine, port) => recorder.event('network', `listened for connections on port ${port}`),
    accept: (_machine, port) => {
      const visit = visits.get(port) ?? 0;
      if (visit >= maxVisits || (visit === 0 && visits.size >= maxListened)) return null;
      visits.set(port, visit + 1);
      // A browser first, then lines, as the app asked for them.
      const words =
        visit === 0
          ? Buffer.from(`GET / HTTP/1.1\r\nHost: ${device.wifi.ip}:${port}\r\nConnection: close\r\n\r\n`)
          : Buffer.concat([internet.message(`lines at port ${port}`), Buffer.from('\n')]);
      return new Visitor(port, nextPort++, words);
    },
    datagram: (_machine, host, port, data, taint) => {
      const name = internet.nameOf(host);
      lookUp(name);
      recorder.udpSend(name, port, data, taint);
      return null;
    },
    interfaces: [
      { name: 'lo', address: '127.0.0.1', mac: '' },
      { name: 'wlan0', address: device.wifi.ip, mac: device.wifi.mac },
    ],
    hostName: 'localhost',
  });
}

/** `System.getProperties()` of Android. */
const javaProperties: Readonly<Record<string, string>> = {
  'java.vm.name': 'Dalvik',
  'java.vm.version': '2.1.0',
  'java.vm.vendor': 'The Android Project',
  'java.vendor': 'The Android Project',
  'java.vendor.url': 'http://www.android.com/',
  'java.version': '0',
  'java.home': '/system',
  'java.io.tmpdir': '/data/local/tmp',
  'java.library.path': '/system/lib64:/vendor/lib64',
  'java.specification.version': '0.9',
  'java.runtime.name': 'Android Runtime',
  'os.arch': 'aarch64',
  'os.name': 'Linux',
  'os.version': '4.4.111-16019454',
  'file.separator': '/',
  'path.separator': ':',
  'line.separator': '\n',
  'file.encoding': 'UTF-8',
  'user.dir': '/',
  'user.home': '',
  'user.name': '',
  'user.language': phone.locale.language,
  'user.region': phone.locale.country,
  'http.agent': `Dalvik/2.1.0 (Linux; U; Android ${phone.release}; ${phone.build.MODEL} Build/${phone.build.ID})`,
};

function setUpHooks(machine: Machine, world: World): void {
  const recorder = recorderOf(machine);
  const { internet, prompts } = world;
  const phoneShell = (isRoot: boolean): PhoneShell => ({
    files: virtualFiles(machine),
    hasRoot: world.hasRoot,
    isRoot,
    install: (path) => installFile(machine, 'installed as root', path),
  });
  const operations: Readonly<Record<string, string>> = { digest: 'hash' };
  setJavaHooks(machine, {
    exec: (_machine, { command, taint }: ProcessStart) => {
      recorder.command(command.join(' '), taint);
      return runCommand(command, phoneShell(false));
    },
    compared: (left, right) => prompts.compared(left, right),
    begun: (text, prefix) => prompts.begun(text, prefix),
    divided: (text, separator) => prompts.divided(text, separator),
    counted: (_machine, text, as) => {
      if (!prompts.wasTold(text)) return;
      const { texts, numbers } = machine.literals();
      const isCase = (each: string): boolean => numbers.has(stringHash(each));
      // A switch over strings is one over their hashes; below ten a number is no secret.
      const wanted = as === 'hash' ? [...texts].filter(isCase) : [...numbers].filter((each) => each >= 10).map(String);
      for (const each of wanted) prompts.compared(text, each);
    },
    sought: (text, others) => {
      if (prompts.wasTold(text)) for (const each of others()) prompts.compared(text, each);
    },
    trusted: (className, host) => recorder.event('network', `${className} trusts ${host} without a valid certificate`),
    missed: (name, kind) => internet.json.missed(name, kind),
    readAsJson: (text, shape) => internet.readAsJson(text, shape),
    soughtDigits: (text) => internet.sealed.soughtDigits(text),
    made: (length, bytes) => internet.sealed.made(length, bytes),
    decoded: (_machine, text) => recorder.decoded.made(text),
    opened: (content, sealing) => internet.sealed.opened(content, sealing),
    processInput: (_machine, { command }, line, taint) => {
      const shell = shellOf(command);
      recorder.command(shell === null ? `${command.join(' ')} < ${line}` : `${shell} -c ${line}`, taint);
      const answer = shell === null ? null : runCommand([line], phoneShell(shell === 'su'));
      return answer?.output ?? new Uint8Array(0);
    },
    crypto: (_machine, use) => recorder.crypto({ ...use, operation: operations[use.operation] ?? use.operation }),
    log: (_machine, level, tag, message, taint) => recorder.log(level, tag, message, taint, 'System.out.println'),
    loadLibrary: (_machine, name, isPath) => {
      recorder.library(isPath ? name : `lib${name}.so`);
      return true;
    },
    properties: javaProperties,
    timeZone: phone.timeZone,
    locale: `${phone.locale.language}-${phone.locale.country}`,
    processors: 8,
    maxMemory: 256 << 20,
  });
}

/** `getprop name` and `SystemProperties.get`. */
export const propertyOf = (name: string): string =>
  Object.hasOwn(systemProperties, name) ? systemProperties[name]! : '';
