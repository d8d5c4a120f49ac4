// Encloses a program by an AppContainer of Windows. Not verified on a machine of this kind: the probe tells what it holds.
import { existsSync, readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import type { Wall } from './wall.ts';

const systemRoot = process.env.SystemRoot ?? 'C:\\Windows';
const launcher = `${systemRoot}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
const source = new URL('../../../resources/windows/worker-wall.cs', import.meta.url);
/** Bytes that the program may take in all: its heap has its own limit, and here nobody watches the rest. */
const maxMemory = 3 * 1024 ** 3;

/**
 * One text that programs of Windows take apart into these words: backslashes mean something before a quotation mark alone.
 * https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments
 */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`).join(' ');

/** The plan goes packed, since it holds all paths, and in letters that no shell and no command line takes for its own. */
const script = (plan: string): string => `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$packed = New-Object IO.MemoryStream -ArgumentList (, [Convert]::FromBase64String('${plan}'))
$text = New-Object IO.Compression.DeflateStream -ArgumentList $packed, ([IO.Compression.CompressionMode]::Decompress)
$plan = (New-Object IO.StreamReader -ArgumentList $text).ReadToEnd() | ConvertFrom-Json
Add-Type -TypeDefinition $plan.source -IgnoreWarnings
exit [WorkerWall]::Run($plan.program, $plan.commandLine, $plan.environment, $plan.folder, $plan.visible, $plan.memory)`;

/**
 * PowerShell compiles the launcher, a page of C#, and stays until the program has ended: the job that holds the program
 * ends with it, and it inherits its low priority.
 */
export const appContainerWall: Wall = {
  kind: 'app-container',
  enclose({ words: [program, ...words], visible }) {
    // What a program's path leads through is closed to it, so that it cannot look for links there.
    const line = commandLine([program, '--preserve-symlinks', '--preserve-symlinks-main', ...words]);
    const plan = {
      source: readFileSync(source, 'utf8'),
      program,
      commandLine: line,
      environment: [
        ...(process.versions.electron === undefined ? [] : ['ELECTRON_RUN_AS_NODE=1']),
        `SystemRoot=${systemRoot}`,
      ],
      folder: systemRoot,
      visible,
      memory: maxMemory,
    };
    const packed = deflateRawSync(JSON.stringify(plan), { level: 9 }).toString('base64');
    const encoded = Buffer.from(script(packed), 'utf16le').toString('base64');
    return [launcher, '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
  },
};

export const appContainer = (): Wall[] => (existsSync(launcher) ? [appContainerWall] : []);
