// What an action of the audit log is, in words: the summary of its operation, or what a command does. Knows no record.

import type { Operation } from '../contract/operations/operation.ts';
import { operations } from '../contract/operations/operations.ts';
import { auditAction } from './operation.ts';

/** Actions that are noted without a request. */
const others: Readonly<Record<string, string>> = {
  backup: 'Wrote a backup from the command line',
  export: 'Wrote the catalogue out from the command line',
  'lists import': 'Imported a list of known hashes from the command line',
  'lists remove': 'Deleted a list of known hashes from the command line',
  repair: 'Repaired the catalogue from the command line',
  'token create': 'Made an access token from the command line',
  'account reset-password': 'Reset a password from the command line',
  'account reset-second-factor': 'Removed a second factor from the command line',
};

/** Removes the note on who may do it. */
const withoutPolicy = (summary: string) => summary.replace(/ \((?:the )?owner[^)]*\)$/, '');

const words = new Map(
  Object.entries<Operation>(operations).flatMap(([key, { summary }]) => {
    const [methods, address] = key.split(' ') as [string, string];
    return methods.split('|').map((method) => [auditAction(method, address), withoutPolicy(summary)] as const);
  }),
);
for (const [action, told] of Object.entries(others)) words.set(action, told);

/** In words; as it is where nothing is known of it. */
export const wordsOfAction = (action: string): string => words.get(action) ?? action;

/** Actions whose name or words hold a text, in any case. */
export function actionsLike(text: string): string[] {
  const wanted = text.toLowerCase();
  return [...words]
    .filter(([action, told]) => `${action}\n${told}`.toLowerCase().includes(wanted))
    .map(([action]) => action);
}
