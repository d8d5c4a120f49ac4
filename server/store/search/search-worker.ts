// The search thread: holds the catalogue's columns and answers one question after the other. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { AnsweringThread, type Cancellation, failedReply, type ThreadReply } from '../sqlite/answering-thread.ts';
import type { IdSet } from './id-set.ts';
import { type Load, SearchEngine } from './search-engine.ts';
import type { SearchExpression } from './search-expression.ts';
import type { QuestionName, SearchMessage, SearchQuestions } from './search-questions.ts';

const program = new URL(`./search-loader.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Page cache, in KiB: the index's hot part. */
const cacheKibibytes = 131_072;
const path = workerData as string;

const database = new SqliteDatabase(path, { readonly: true, timeout: 10_000 });
database.pragma(`cache_size = -${cacheKibibytes}`);
database.pragma('temp_store = memory');

const loader = new AnsweringThread(program, path);
const load: Load = (loads, capacity) => loader.ask<IdSet>({ loads, capacity });

const engine = new SearchEngine(database, load);
/** Questions that somebody waits for. */
const awaited = new Set<number>();

type Answers = {
  [Name in QuestionName]: (
    question: SearchQuestions[Name]['question'],
    isAbandoned: () => boolean,
  ) => SearchQuestions[Name]['answer'] | Promise<SearchQuestions[Name]['answer']>;
};
const answers: Answers = {
  page: (question) => engine.page(question),
  count: ({ expression }: { expression: SearchExpression }, isAbandoned) => engine.count(expression, isAbandoned),
  ids: ({ expression }: { expression: SearchExpression }, isAbandoned) => engine.ids(expression, isAbandoned),
  among: (question) => engine.among(question),
  facets: (question, isAbandoned) => engine.facets(question, isAbandoned),
  words: (question) => engine.words(question),
  names: (question) => engine.names(question),
  marks: (question) => engine.marks(question),
  totals: (question) => engine.totals(question),
  warm: () => engine.warm(),
};

async function reply({ id, name, question }: SearchMessage): Promise<ThreadReply> {
  try {
    return { kind: 'answer', id, answer: await answers[name](question as never, () => !awaited.has(id)) };
  } catch (error) {
    return failedReply(id, error);
  }
}

parentPort?.on('message', (message: SearchMessage | Cancellation) => {
  if (message.name === 'cancel') {
    awaited.delete(message.id);
    return;
  }
  awaited.add(message.id);
  void reply(message).then((answer) => {
    awaited.delete(message.id);
    parentPort?.postMessage(answer);
  });
});
