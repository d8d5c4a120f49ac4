// Answers the command lines that apps run, as the app's user, or as root where `su` is available. Knows no machine.
import type { ProcessAnswer } from '../java/hooks.ts';
import type { VirtualFiles } from '../machine/virtual-files.ts';
import { mounts, phone, systemProperties } from './device.ts';
import { installedApps } from './people.ts';

const answer = (output: string, exitCode = 0): ProcessAnswer => ({
  output: Buffer.from(output),
  error: new Uint8Array(0),
  exitCode,
});
const failure = (message: string, exitCode = 1): ProcessAnswer => ({
  output: new Uint8Array(0),
  error: Buffer.from(`${message}\n`),
  exitCode,
});

/** The phone under a command line, and who runs it. */
export interface PhoneShell {
  readonly files: VirtualFiles;
  /** Whether there is a `su` that grants root to every app. */
  readonly hasRoot: boolean;
  readonly isRoot: boolean;
  /** Installs the app in a file, as only root may. */
  readonly install: (path: string) => void;
}

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** Which shell reads commands from its input; null for other programs, and for a shell that was given its command. */
export function shellOf(command: readonly string[]): 'sh' | 'su' | null {
  const [program = '', ...rest] = command.length === 1 ? splitLine(command[0]!) : command;
  const name = nameOf(program);
  return (name === 'sh' || name === 'su') && !rest.includes('-c') ? name : null;
}

/** Words of a shell line, quotes taken off; no expansion, no redirection. */
function splitLine(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Shells started within shells, at most. */
const maxDepth = 5;

/** They do their work, or pretend to, and print nothing. */
const silentPrograms: ReadonlySet<string> = new Set(
  'am chmod chown cp dd exit export input kill killall logcat mkdir mv ping reboot rm screencap setprop settings sleep svc sync'.split(
    ' ',
  ),
);

/**
 * Runs a command.
 * @returns what it prints, null where there is no such program
 */
export function runCommand(words: readonly string[], shell: PhoneShell, depth = 0): ProcessAnswer | null {
  const { files, hasRoot, isRoot } = shell;
  const [program = '', ...rest] = words.length === 1 ? splitLine(words[0]!) : words;
  const name = nameOf(program);
  const target = rest.findLast((word) => !word.startsWith('-')) ?? '';
  switch (name) {
    case 'su':
    case 'sh': {
      if (name === 'su' && !hasRoot) return null;
      const at = rest.indexOf('-c');
      if (at < 0) return answer('');
      const line = rest[at + 1] ?? '';
      if (depth >= maxDepth) return answer('');
      const inner = { ...shell, isRoot: isRoot || name === 'su' };
      return runCommand(splitLine(line), inner, depth + 1) ?? failure(`sh: ${line}: not found`, 127);
    }
    case 'getprop':
      return target === ''
        ? answer(
            Object.entries(systemProperties)
              .map(([key, value]) => `[${key}]: [${value}]\n`)
              .join(''),
          )
        : answer(`${Object.hasOwn(systemProperties, target) ? systemProperties[target] : ''}\n`);
    case 'cat': {
      const node = files.find(target);
      return node === null || node.isDirectory || !(isRoot || files.mayRead(target))
        ? failure(`cat: ${target}: No such file or directory`)
        : { output: node.bytes.slice(), error: new Uint8Array(0), exitCode: 0 };
    }
    case 'ls': {
      const names = files.list(target === '' ? '/' : target);
      return names === null
        ? failure(`ls: ${target}: No such file or directory`)
        : answer(names.map((each) => `${each}\n`).join(''));
    }
    case 'id':
      return answer(
        isRoot
          ? 'uid=0(root) gid=0(root) groups=0(root) context=u:r:magisk:s0\n'
          : 'uid=10217(u0_a217) gid=10217(u0_a217) groups=10217(u0_a217),3003(inet),9997(everybody)\n',
      );
    case 'uname':
      return answer('Linux localhost 4.4.111-16019454 #1 SMP PREEMPT aarch64\n');
    case 'whoami':
      return answer(isRoot ? 'root\n' : 'u0_a217\n');
    case 'pm':
      if (rest[0] === 'list') return answer(installedApps.map((each) => `package:${each.packageName}\n`).join(''));
      if (isRoot) {
        if (rest[0] === 'install') shell.install(target);
        return answer('Success\n');
      }
      return failure('java.lang.SecurityException: Neither user 10217 nor current process has permission', 255);
    case 'ps':
      return answer(
        'USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\nu0_a217      14233  3412 4389212 100132 0                   0 S app_process\n',
      );
    case 'ip':
    case 'ifconfig':
    case 'netcfg':
      return answer(`wlan0: inet ${phone.wifi.ip}/24 ether ${phone.wifi.mac}\n`);
    case 'mount':
      return answer(mounts);
    case 'getenforce':
      return answer('Enforcing\n');
    case 'which':
      return failure('');
    case 'echo':
      return answer(`${rest.join(' ')}\n`);
    default:
      return silentPrograms.has(name) ? answer('') : null;
  }
}
