// Asks the search thread. Knows no table.
import { AnsweringThread, ThreadError } from '../sqlite/answering-thread.ts';
import { UnknownPlaceError } from '../store-errors.ts';
import { type QuestionName, type SearchQuestions, unknownPlace } from './search-questions.ts';

const program = new URL(`./search-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export class SearchThread {
  readonly #thread: AnsweringThread;

  /** @param path of the database */
  constructor(path: string, onError: (error: unknown) => void) {
    this.#thread = new AnsweringThread(program, path, { onError });
  }

  /** @throws UnknownPlaceError where a page's place is no APK's any more; the signal's reason once it is aborted */
  async ask<Name extends QuestionName>(
    name: Name,
    question: SearchQuestions[Name]['question'],
    signal?: AbortSignal,
  ): Promise<SearchQuestions[Name]['answer']> {
    try {
      return await this.#thread.ask({ name, question }, signal);
    } catch (error) {
      throw error instanceof ThreadError && error.code === unknownPlace ? new UnknownPlaceError() : error;
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
