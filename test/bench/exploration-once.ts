// Asks about one APK in a fresh process as its page does, and prints what each question costs: the first time, and again.
import type { Exploration } from '../../server/contract/engine/exploration.ts';
import { explore } from '../../server/engine/exploration/answer.ts';

const path = process.argv[2];
if (path === undefined) throw new Error('usage: exploration-once.ts FILE');

const page = { offset: 0, limit: 200 };
const questions: Record<string, Exploration> = {
  'dex files': { ask: 'code-outline' },
  'top of the class tree': { ask: 'package', package: '', offset: 0, limit: 5000 },
  'search by text': { ask: 'code-search', q: 'http', regex: false, case: false, ...page },
  'search by pattern': { ask: 'code-search', q: '^get[A-Z]\\w+$', regex: true, case: true, ...page },
  'callers of Object.<init>': {
    ask: 'references',
    of: 'Ljava/lang/Object;-><init>()V',
    direction: 'callers',
    ...page,
  },
  'code by permission': { ask: 'permission-uses' },
  'resource types': { ask: 'resource-outline' },
  'manifest as text': { ask: 'xml', path: 'AndroidManifest.xml', nth: 0 },
  '64 kB of classes.dex': { ask: 'content', path: 'classes.dex', nth: 0, offset: 1_000_000, length: 65_536 },
};

const cost = (question: Exploration): number => {
  const start = process.cpuUsage();
  const reply = explore({ kind: 'plain', path }, question);
  if (reply.status === 'refused') throw new Error(`${question.ask}: ${reply.reason}`);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

const first = Object.entries(questions).map(([name, question]) => ({ name, first: cost(question) }));
const again = Object.values(questions).map(cost);
process.stdout.write(JSON.stringify(first.map((one, index) => ({ ...one, again: again[index] }))));
