// Why a question about an APK has no answer. Knows no question.

/** `field` names the part of the question that is at fault, where one is. */
export class ExplorationFault extends Error {
  readonly code: 'not-found' | 'unreadable' | 'bad-question';
  readonly field: string;

  constructor(code: ExplorationFault['code'], reason: string, field = '') {
    super(reason);
    this.name = 'ExplorationFault';
    this.code = code;
    this.field = field;
  }
}
