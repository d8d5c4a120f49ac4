// The program's log: structured lines on standard error, so that hostile strings stay data and standard output stays clean.
import { pino } from 'pino';
import { withoutLineBreaks } from '../contract/json-line.ts';

const standardError = pino.destination({ dest: 2, sync: true });
const toStandardError = { write: (line: string) => standardError.write(withoutLineBreaks(line)) };

export const serverLog = pino({ base: null }, toStandardError);

/** For short commands: warnings and errors only. */
export const quietLog = pino({ base: null, level: 'warn' }, toStandardError);
