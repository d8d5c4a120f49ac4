#!/usr/bin/env node
// The command line: `apk-workstation <command>`. Parses words; each command's work is in its own file.
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { jsonLine } from '../contract/json-line.ts';
import type { ServeOptions } from './commands/serve.ts';

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535');
  return port;
};

const jobCount = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 256)
    throw new InvalidArgumentError('jobs are a number from 1 to 256');
  return count;
};

const kindNames = ['static', 'dynamic', 'yara'] as const;
const kindList = (text: string): (typeof kindNames)[number][] =>
  text.split(',').map((name) => {
    const kind = kindNames.find((known) => known === name.trim());
    if (kind === undefined) throw new InvalidArgumentError(`kinds are ${kindNames.join(', ')}`);
    return kind;
  });

/** Each use of an option adds one; a list after it would take the files as well. */
const listed = (value: string, earlier: string[] = []): string[] => [...earlier, value];

const dataDir = () =>
  new Option(
    '--data-dir <folder>',
    "folder of the installation; else $APK_WORKSTATION_DATA, else the user's application data",
  );

const passphraseFile = () =>
  new Option(
    '--passphrase-file <file>',
    'file whose first line is the passphrase of a sealed backup; - for standard input',
  );

const analysisFormat = (onTerminal: string) =>
  new Option('--format <name>', `${onTerminal} on a terminal, JSON lines elsewhere, or as named`).choices([
    'jsonl',
    'table',
    'summary',
  ]);

const requireIsolation = () =>
  new Option('--require-isolation', 'analyse nothing unless the wall of the system around workers was tried and holds');

/** Patterns filled in, relative to the caller's folder. */
async function givenPaths(paths: string[]): Promise<string[]> {
  const [{ namedPaths }, { callersFolder }] = await Promise.all([
    import('./named-paths.ts'),
    import('./data-folder.ts'),
  ]);
  return namedPaths(paths, callersFolder());
}

async function serveToEnd(options: ServeOptions): Promise<void> {
  const { serve } = await import('./commands/serve.ts');
  const server = await serve(options);
  process.stdout.write(jsonLine({ url: server.url, pid: process.pid }));
  if (process.send) process.send({ url: server.url, loginUrl: server.loginUrl });
  else if (server.isFresh || process.stderr.isTTY) process.stderr.write(server.welcome);
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const program = new Command('apk-workstation')
  .description('Analyses Android apps and keeps a catalogue of them, all on this machine.')
  .version(version)
  .showHelpAfterError();

program
  .command('serve')
  .description(
    'serve the API and the user interface; prints {"url", "pid"} when ready, and a link that logs the owner in on a terminal or while nobody has an account',
  )
  .addOption(dataDir())
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <number>', 'port to listen on, 0 for any free one', portNumber, 8465)
  .option('--plain-http', 'allow an address beyond this machine, where anybody on the network can read along')
  .action(serveToEnd);

program
  .command('worker')
  .description('analyse for the workstation of another machine, until this is told to end')
  .option('--join <code>', 'join the workstation that made this code, Administration → Workers there')
  .option('--name <name>', "what this machine is called there; by default the host's name")
  .option('--drain', 'tell the worker of this folder to end when it has done what it has')
  .addOption(dataDir())
  .action(async (options) => {
    const { work } = await import('./commands/worker.ts');
    await work(options);
    process.exit();
  });

program
  .command('token')
  .description('access tokens')
  .command('create')
  .description('print a new access token; makes the account if needed, the first one is the owner')
  .requiredOption('--user <name>', 'username')
  .option('--group <name>', 'API group of the account: basic, bronze, silver, gold or workstation')
  .addOption(dataDir())
  .action(async (options) => {
    const { createToken } = await import('./commands/token.ts');
    process.stdout.write(`${await createToken(options)}\n`);
  });

const account = program.command('account').description('accounts');

account
  .command('reset-password')
  .description('print a one-time password for an account and end its sessions')
  .argument('<username>', 'whose')
  .addOption(dataDir())
  .action(async (username: string, options) => {
    const { resetAccountPassword } = await import('./commands/account.ts');
    process.stdout.write(`${await resetAccountPassword(username, options)}\n`);
  });

account
  .command('reset-second-factor')
  .description('take the second factor of an account away')
  .argument('<username>', 'whose')
  .addOption(dataDir())
  .action(async (username: string, options) => {
    const { resetAccountSecondFactor } = await import('./commands/account.ts');
    await resetAccountSecondFactor(username, options);
  });

program
  .command('analyze')
  .description('analyse files without a server or a database; prints one JSON object per file and line')
  .usage('[options] <file...>')
  .argument('[file...]', 'APK files; - for standard input')
  .option('--kinds <list>', 'analyses to run, separated by commas: static, dynamic, yara', kindList)
  .option('--rules <path...>', 'YARA rules: files, folders of files or - for standard input')
  .addOption(analysisFormat('a summary'))
  .option('--json', 'the same as --format jsonl')
  .addOption(requireIsolation())
  .action(async (given: string[], { rules: givenRules, ...options }, command: Command) => {
    const { filesAmongRules } = await import('./rule-files.ts');
    const { files, rules } = filesAmongRules(given, givenRules);
    if (files.length === 0) command.error("error: missing required argument 'file'");
    const { analyze } = await import('./commands/analyze.ts');
    process.exitCode = await analyze(await givenPaths(files), {
      ...options,
      ...(rules === undefined ? {} : { rules }),
    });
  });

program
  .command('triage')
  .description(
    'tell which of many APK files to look at first, and which are alike, without a server; the exit status tells the worst risk',
  )
  .argument('<path...>', 'APK files, and folders with all in them')
  .option('--json', 'print one JSON object per APK and line, as also where standard output is no terminal')
  .addOption(new Option('--csv', 'print CSV').conflicts(['json', 'html']))
  .addOption(new Option('--html <file>', 'write one page that opens anywhere').conflicts('json'))
  .option('--jobs <count>', "files at a time, by default as many as the processor's cores", jobCount)
  .addOption(requireIsolation())
  .action(async (paths: string[], options) => {
    const { triage } = await import('./commands/triage.ts');
    process.exitCode = await triage(await givenPaths(paths), options);
  });

program
  .command('compare')
  .description('tell the difference of two APK files without a server; the lower version code stands left')
  .argument('<first>', 'APK file')
  .argument('<second>', 'APK file')
  .option('--json', 'print the whole difference as one JSON object, as also where standard output is no terminal')
  .addOption(requireIsolation())
  .action(async (first: string, second: string, options) => {
    const { compareFiles } = await import('./commands/compare.ts');
    process.exitCode = await compareFiles([first, second], options);
  });

program
  .command('decompile')
  .description('write Java source of an APK file to `sources/` and its manifest to `resources/`, without a server')
  .argument('<file>', 'APK file')
  .option('--class <name>', 'only the file of this class, by its name or descriptor')
  .option('--out <folder>', 'where to write; by default a folder beside the file, named as it is')
  .option(
    '--mapping <file>',
    'call the code as a mapping file of ProGuard or jadx does, as far as it has what that names',
  )
  .option('--deobfuscate', 'give what is called by no word a readable name, the same in every run')
  .option('--json', 'end with one line of JSON: classes, methods, lost, unresolved, dispatched, seconds')
  .addOption(requireIsolation())
  .action(async (file: string, options) => {
    const { decompileFile } = await import('./commands/decompile.ts');
    process.exitCode = await decompileFile(file, options);
  });

program
  .command('scan')
  .description(
    'scan files and folders with YARA rules, APKs with every file inside them; prints one JSON object per file and line',
  )
  .argument('<path...>', 'files or folders; - for standard input')
  .requiredOption(
    '--rules <path>',
    'YARA rules, a file, a folder of files or - for standard input; may be given several times',
    listed,
  )
  .addOption(analysisFormat('a table'))
  .option('--json', 'the same as --format jsonl')
  .addOption(requireIsolation())
  .action(async (paths: string[], options) => {
    const { scan } = await import('./commands/scan.ts');
    process.exitCode = await scan(await givenPaths(paths), options);
  });

program
  .command('import')
  .description('bring files and folders into the catalogue; archives of APKs are opened, and those in them')
  .argument('[path...]', 'APK files, archives (ZIP, 7z, RAR, tar, also compressed) or folders')
  .addOption(dataDir())
  .option('--recursive', 'look into folders inside folders too')
  .option(
    '--password <text>',
    'tried on locked archives before those of the settings; may be given several times',
    listed,
  )
  .option('--refused <file>', 'write what was refused to this file, with reasons, one JSON object per line')
  .option('--retry <file>', 'import the files of such a list once more')
  .option('--folder-tags', 'the folders below the named one that a file lies in become tags of its APKs')
  .option('--json', 'print what became of the files as one JSON object')
  .action(async (paths: string[], options) => {
    const { importPaths } = await import('./commands/import.ts');
    process.exitCode = await importPaths(await givenPaths(paths), options);
  });

program
  .command('watch')
  .description('take what comes into a folder into the catalogue, until this is told to end')
  .argument('<folder>', 'on this machine')
  .addOption(dataDir())
  .option('--tag <name>', 'tag of its APKs; may be given several times', listed)
  .option('--folder-tags', 'the folders in it that a file lies in are tags too')
  .addOption(
    new Option('--outcome <name>', 'a note beside each file, a move into a folder of its own, or its deletion').choices(
      ['note', 'move', 'delete'],
    ),
  )
  .addOption(new Option('--priority <name>', 'when its APKs are analysed').choices(['upload', 'import', 'bulk']))
  .option('--settle <seconds>', 'how long a file must stay the same before it is taken in, by default 5')
  .option('--polling', 'look through the folder again and again, as on most network shares')
  .option('--json', 'print one JSON object per file and line')
  .action(async (path: string, { dataDir: folder, json, ...given }) => {
    const { watchFolder } = await import('./commands/watch.ts');
    await watchFolder(path, {
      ...(folder === undefined ? {} : { dataDir: folder }),
      ...(json === undefined ? {} : { json }),
      ...(given.tag === undefined ? {} : { tags: given.tag }),
      ...(given.folderTags === undefined ? {} : { has_folder_tags: true }),
      ...(given.outcome === undefined ? {} : { outcome: given.outcome }),
      ...(given.priority === undefined ? {} : { priority: given.priority }),
      ...(given.settle === undefined ? {} : { settle_seconds: given.settle }),
      ...(given.polling === undefined ? {} : { uses_polling: true }),
    });
  });

const collection = program
  .command('collection')
  .description('a part of the catalogue as one sealed file, for the workstation of a colleague');

collection
  .command('write')
  .description('write APKs with all that people and rules say of them to a new file that a passphrase seals')
  .argument('<file>', 'the new file')
  .option('--search <query>', 'which APKs, by default all: case:"NAME", family:NAME, tag:NAME …')
  .option('--no-cases', 'leave out the cases that they belong to')
  .option('--passphrase-file <file>', 'whose first line is the passphrase; -: standard input')
  .option('--json', 'print one JSON object')
  .addOption(dataDir())
  .action(async (file: string, options) => {
    const { writeCollection } = await import('./commands/collection.ts');
    await writeCollection(file, options);
  });

collection
  .command('read')
  .description('take in a sealed collection; what is here already is not taken twice, what is said here stays in force')
  .argument('<file>', 'as another workstation wrote it')
  .option('--passphrase-file <file>', 'whose first line is the passphrase; -: standard input')
  .option('--json', 'print one JSON object')
  .addOption(dataDir())
  .action(async (file: string, options) => {
    const { readCollection } = await import('./commands/collection.ts');
    await readCollection(file, options);
  });

program
  .command('export')
  .description('write the catalogue out')
  .option('--search <query>', 'only what this search finds', '')
  .addOption(new Option('--format <name>', 'output format').choices(['csv', 'jsonl']).default('jsonl'))
  .addOption(dataDir())
  .action(async (options) => {
    const { exportCatalogue } = await import('./commands/export.ts');
    await exportCatalogue(options);
  });

program
  .command('search')
  .description('write which APKs a search finds, and where contents of files that it names stand')
  .argument('<query>', 'as in the search line: content:"text", content:{de ad ?? be}, and any other term')
  .option('--json', 'one JSON object per APK and line, also on a terminal')
  .addOption(dataDir())
  .action(async (query: string, options) => {
    const { searchCatalogue } = await import('./commands/search.ts');
    process.exitCode = await searchCatalogue(query, options);
  });

program
  .command('indicators')
  .description('write what others can look for of APKs in the catalogue: hashes, signers, hosts, techniques')
  .argument('[sha256...]', 'APKs by their SHA-256')
  .option('--search <query>', 'those that this search finds, in the place of hashes')
  .addOption(new Option('--format <name>', 'output format').choices(['csv', 'json', 'stix', 'misp']).default('csv'))
  .option('--defanged', 'hosts in a form that no program opens by chance, in csv and json')
  .addOption(dataDir())
  .action(async (hashes: string[], options) => {
    const { exportIndicators } = await import('./commands/indicators.ts');
    await exportIndicators(hashes, options);
  });

const lists = program.command('lists').description('lists of known good and known bad files and signers');

lists
  .command('import')
  .description(
    'read a list of hashes, in the place of the one of its name: NSRL, MalwareBazaar, CSV, one hash per line',
  )
  .argument('<file>', 'the list; SHA-256 fingerprints of certificates name signers')
  .addOption(
    new Option('--kind <kind>', 'what the files of the list are').choices(['good', 'bad']).makeOptionMandatory(),
  )
  .option('--name <name>', "what the list is called; by default the file's name")
  .addOption(dataDir())
  .action(async (file: string, options) => {
    const { importList } = await import('./commands/lists.ts');
    const onProgress = (lines: number) => process.stderr.write(`\r${lines.toLocaleString('en')} lines`);
    const done = await importList(file, { ...options, ...(process.stderr.isTTY ? { onProgress } : {}) });
    const { unreadable, firstUnreadable, ...counts } = done;
    if (process.stderr.isTTY) process.stderr.write('\n');
    process.stdout.write(jsonLine({ ...counts, unreadable, first_unreadable_line: firstUnreadable || null }));
  });

lists
  .command('show')
  .description('print the lists that there are, one JSON object per line')
  .addOption(dataDir())
  .action(async (options) => {
    const { shownLists } = await import('./commands/lists.ts');
    for (const list of shownLists(options)) process.stdout.write(jsonLine(list));
  });

lists
  .command('remove')
  .description('delete a list')
  .argument('<name>', 'of the list')
  .addOption(dataDir())
  .action(async (name: string, options) => {
    const { removeList } = await import('./commands/lists.ts');
    await removeList(name, options);
  });

const libraries = program
  .command('libraries')
  .description('libraries whose methods say nothing of an app that has them');

libraries
  .command('import')
  .description('read JARs, AARs and APKs, each in the place of the library of its name and version')
  .argument('<path...>', 'files, and folders with all in them; of an APK the libraries that it carries are taken')
  .option(
    '--name <name>',
    'what the library of one file is called; by default as its Maven description, manifest or file says',
  )
  .option('--version <version>', 'the version')
  .addOption(dataDir())
  .action(async (paths: string[], options) => {
    const { importLibraries } = await import('./commands/libraries.ts');
    for await (const line of importLibraries(paths, options)) {
      process.stdout.write(jsonLine(line));
      if ('error' in line) process.exitCode = 1;
    }
  });

libraries
  .command('show')
  .description('print the libraries that were imported, one JSON object per line')
  .addOption(dataDir())
  .action(async (options) => {
    const { shownLibraries } = await import('./commands/libraries.ts');
    for (const { name, version, source, methods, importedAt } of await shownLibraries(options)) {
      const imported_at = new Date(importedAt / 1000).toISOString();
      process.stdout.write(jsonLine({ name, version, source, methods, imported_at }));
    }
  });

libraries
  .command('remove')
  .description('delete all versions of a library')
  .argument('<name>', 'of the library')
  .addOption(dataDir())
  .action(async (name: string, options) => {
    const { removeLibrary } = await import('./commands/libraries.ts');
    await removeLibrary(name, options);
  });

const rules = program.command('rules').description('packages of rulesets of the owner, from archives or folders');

rules
  .command('import')
  .alias('update')
  .description('import an archive or a folder of rules as a package, or update the package of its name')
  .argument('<path>', 'ZIP, .tar.gz, .tar, folder or file of rules')
  .option('--name <name>', 'what the package is called; by default as the archive')
  .option('--version <version>', 'the version; by default as the archive')
  .option('--licence <licence>', 'the licence; by default what a file of the archive says')
  .option('--source <address>', 'where it is from; by default the name of the archive')
  .option('--disabled', 'do not enable the rulesets of a new package')
  .option('--public', 'everybody sees the rulesets of a new package and what they match')
  .option('--preview', 'only show what would change, file by file and line by line')
  .addOption(dataDir())
  .action(async (path: string, options) => {
    const { importRules, previewRules, shownPreview } = await import('./commands/rules.ts');
    if (options.preview !== true) process.stdout.write(jsonLine(await importRules(path, options)));
    else {
      const preview = await previewRules(path, options);
      process.stdout.write(process.stdout.isTTY ? shownPreview(preview) : jsonLine(preview));
    }
  });

rules
  .command('list')
  .description('print the packages, one JSON object per line')
  .addOption(dataDir())
  .action(async (options) => {
    const { shownPackages } = await import('./commands/rules.ts');
    for (const line of await shownPackages(options)) process.stdout.write(jsonLine(line));
  });

for (const [word, does] of [
  ['enable', 'enable all rulesets of a package, and those that updates add'],
  ['disable', 'disable all rulesets of a package, and those that updates add'],
] as const) {
  rules
    .command(word)
    .description(does)
    .argument('<name>', 'of the package')
    .addOption(dataDir())
    .action(async (name: string, options) => {
      const { switchPackage } = await import('./commands/rules.ts');
      await switchPackage(name, word === 'enable', options);
    });
}

rules
  .command('remove')
  .description('delete a package with its rulesets and their matches')
  .argument('<name>', 'of the package')
  .addOption(dataDir())
  .action(async (name: string, options) => {
    const { removePackage } = await import('./commands/rules.ts');
    await removePackage(name, options);
  });

program
  .command('backup')
  .description('write one verified file of database, APKs and settings, also while the server runs')
  .argument(
    '<file>',
    'file to write, replaced when the new one is whole; or a folder, which gets what is new since its last',
  )
  .addOption(dataDir())
  .option('--seal', 'ask for a passphrase that seals the backup')
  .addOption(passphraseFile())
  .option('--with-authority', 'take the key along that vouches for this workstation before teammates')
  .action(async (file: string, options) => {
    const { backup } = await import('./commands/backup.ts');
    await backup(file, options);
  });

program
  .command('restore')
  .description('verify a backup and put it in the place of a data folder, which is kept beside it')
  .argument('<file>', 'backup to restore; of a folder of backups the newest, or one by its file in `states`')
  .addOption(dataDir())
  .option('--replace', 'set a folder that is not empty aside without asking')
  .addOption(passphraseFile())
  .option('--own', 'the backup is your own: keep the settings that open or connect something, and the authority')
  .option('--end-tokens', 'end the access tokens of programs too')
  .option('--start', 'then serve it, as `serve` does')
  .action(async (file: string, { start, ...options }) => {
    const { restore } = await import('./commands/restore.ts');
    await restore(file, options);
    if (start === true) await serveToEnd(options);
  });

program
  .command('repair')
  .description(
    'make a damaged or missing catalogue anew of what can be read of it and of the stored APKs; no server may run',
  )
  .addOption(dataDir())
  .option('--json', 'print what was saved, found again and lost as one JSON object')
  .action(async (options) => {
    const { repair } = await import('./commands/repair.ts');
    await repair(options);
  });

program
  .command('where')
  .description('print where the data folder of the installation is')
  .addOption(dataDir())
  .action(async (options) => {
    const { dataFolder } = await import('./data-folder.ts');
    process.stdout.write(`${dataFolder(options.dataDir)}\n`);
  });

program
  .command('move')
  .description('move the data folder of an installation; its former place leads to the new one')
  .argument('<folder>', 'where to; it must not exist, or be empty')
  .addOption(dataDir())
  .action(async (folder: string, options) => {
    const { moveDataFolder } = await import('./commands/move.ts');
    process.stdout.write(jsonLine({ folder: await moveDataFolder(folder, options) }));
  });

// Whoever reads the output has enough, as `head` after its lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
try {
  await program.parseAsync();
} catch (error) {
  const { storageFailureOf } = await import('../services/failure.ts');
  // The system's errors name their file, which need not lie in the data folder.
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  const { message } = (isOfSystem ? null : storageFailureOf(error)) ?? (error as Error);
  process.stderr.write(`apk-workstation: ${message}\n`);
  if (process.env.APK_WORKSTATION_DEBUG) process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
}
