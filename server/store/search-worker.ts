// The search thread: holds the catalogue's columns and answers one question after the other. Cannot write.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import type { IdSet } from './id-set.ts';
import { Abandoned, type Load, SearchEngine, UnknownPlace } from './search-engine.ts';
import type { SearchExpression } from './search-expression.ts';
import type { LoadAnswer, LoadQuestion } from './search-loader.ts';
import type {
  QuestionName,
  SearchCancellation,
  SearchMessage,
  SearchQuestions,
  SearchReply,
} from './search-questions.ts';

/** Page cache, in KiB: the index's hot part. */
const cacheKibibytes = 131_072;
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const path = workerData as string;

const database = new SqliteDatabase(path, { readonly: true, timeout: 10_000 });
database.pragma(`cache_size = -${cacheKibibytes}`);
database.pragma('temp_store = memory');

let loader: Worker | null = null;
let lastLoad = 0;
const waiting = new Map<number, { resolve(bits: IdSet): void; reject(error: Error): void }>();

function startLoader(): Worker {
  const worker = new Worker(new URL(`./search-loader.${extension}`, import.meta.url), { workerData: path });
  worker.on('message', (answer: LoadAnswer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.bits);
  });
  const end = (error: Error) => {
    if (loader === worker) loader = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.once('error', end);
  worker.once('exit', () => end(new Error('The reader of the search index has ended.')));
  return worker;
}

const load: Load = (loads, capacity) => {
  loader ??= startLoader();
  const worker = loader;
  lastLoad += 1;
  const id = lastLoad;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, loads, capacity } satisfies LoadQuestion);
  });
};

const engine = new SearchEngine(database, load);
const abandoned = new Set<number>();

type Answers = {
  [Name in QuestionName]: (
    question: SearchQuestions[Name]['question'],
    isAbandoned: () => boolean,
  ) => SearchQuestions[Name]['answer'] | Promise<SearchQuestions[Name]['answer']>;
};
const answers: Answers = {
  page: (question) => engine.page(question),
  count: ({ expression }: { expression: SearchExpression }, isAbandoned) => engine.count(expression, isAbandoned),
  facets: (question, isAbandoned) => engine.facets(question, isAbandoned),
  words: (question) => engine.words(question),
  totals: (question) => engine.totals(question),
  warm: () => engine.warm(),
};

async function reply({ id, name, question }: SearchMessage): Promise<SearchReply> {
  try {
    return { id, answer: await answers[name](question as never, () => abandoned.has(id)) };
  } catch (error) {
    if (error instanceof Abandoned) return { id, error: 'Nobody waits for this search.', isUnknownPlace: false };
    return { id, error: (error as Error).message, isUnknownPlace: error instanceof UnknownPlace };
  }
}

parentPort?.on('message', (message: SearchMessage | SearchCancellation) => {
  if (message.name === 'cancel') {
    abandoned.add(message.id);
    return;
  }
  void reply(message).then((answer) => {
    abandoned.delete(message.id);
    parentPort?.postMessage(answer);
  });
});
