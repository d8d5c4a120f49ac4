// The program's log: structured lines on standard error, so that hostile strings stay data and standard output stays
// clean; for somebody at a terminal words instead, and the lines in a file.
import { join } from 'node:path';
import { pino } from 'pino';
import { withoutLineBreaks } from '../contract/json-line.ts';
import { LogFile } from './log-file.ts';
import { terminalText } from './terminal-text.ts';

const standardError = pino.destination({ dest: 2, sync: true });
const toStandardError = { write: (line: string) => standardError.write(withoutLineBreaks(line)) };

export const serverLog = pino({ base: null }, toStandardError);

/** For short commands: warnings and errors only. */
export const quietLog = pino({ base: null, level: 'warn' }, toStandardError);

interface LogLine {
  level: number;
  msg?: string;
  err?: { message?: string };
}

/** A warning or an error in words; empty for what nobody at a terminal has to know. */
export function inWords(line: string, { levels: { values } } = pino): string {
  const { level, msg = '', err } = JSON.parse(line) as LogLine;
  if (level < values.warn!) return '';
  const words = [level < values.error! ? 'Warning' : 'Error', msg, err?.message].filter(Boolean).join(': ');
  return `${terminalText(words)}\n`;
}

/** Everything in files `logs/server.log` of the data folder; warnings and errors in words on standard error too. */
export function logForPeople(dataDir: string) {
  const file = new LogFile(join(dataDir, 'logs'));
  const write = (line: string) => {
    file.write(withoutLineBreaks(line));
    standardError.write(inWords(line));
  };
  return pino({ base: null }, { write });
}
