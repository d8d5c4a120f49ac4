// Other machines that analyse, over HTTP: what the owner sees and does of them, and what they ask with their own tokens.
import {
  heardSchema,
  heartbeatSchema,
  joinCodeSchema,
  joinedSchema,
  joinSchema,
  labMachineSchema,
  labQueueSchema,
  labSchema,
  machineChangesSchema,
} from '../workstation/lab.ts';
import type { Operations } from './operation.ts';

const bytes = ['application/octet-stream'] as const;
/** By the token that a machine got when it joined, `Authorization: Machine …`; none of an account. */
const byMachine = { access: 'anybody', isAudited: false } as const;

export const labOperations = {
  'GET /lab/machines/': {
    summary: 'Other machines that analyse, and how they do (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 200: labSchema },
  },
  'PATCH /lab/machines/<id>/': {
    summary: 'Has a machine take tasks, take none for a while, or end when it has done what it has (owner)',
    access: 'token',
    policy: 'settings.manage',
    body: machineChangesSchema,
    answers: { 200: labMachineSchema },
  },
  'DELETE /lab/machines/<id>/': {
    summary: 'Removes a machine: its token and its account of Redis end, its tasks are done by others (owner)',
    access: 'token',
    policy: 'settings.manage',
    answers: { 204: null },
  },
  'POST /lab/invitations/': {
    summary: 'A code with which one machine joins within half an hour: apk-workstation worker --join (owner)',
    access: 'token',
    policy: 'settings.manage',
    refusals: ['lab-off'],
    answers: { 201: joinCodeSchema },
  },
  'POST /lab/join/': {
    summary: 'A machine joins by the secret of a code',
    access: 'anybody',
    body: joinSchema,
    refusals: ['wrong-join-code', 'lab-version'],
    answers: { 201: joinedSchema },
  },
  'GET /lab/queue/': {
    summary: "How a machine reaches the queue (machine's token)",
    ...byMachine,
    refusals: ['invalid-token', 'lab-off'],
    answers: { 200: labQueueSchema },
  },
  'POST /lab/heartbeat/': {
    summary: "A machine tells what it runs, and hears what is no longer wanted (machine's token)",
    ...byMachine,
    body: heartbeatSchema,
    refusals: ['invalid-token', 'lab-version'],
    answers: { 200: heardSchema },
  },
  'POST /lab/drain/': {
    summary: "A machine takes nothing more, and ends when it has done what it has (machine's token)",
    ...byMachine,
    refusals: ['invalid-token'],
    answers: { 204: null },
  },
  'GET /lab/tasks/<ticket>/': {
    summary: "A task with the key of its file alone (machine's token)",
    ...byMachine,
    refusals: ['invalid-token', 'task-gone'],
    answers: { 200: bytes },
  },
  'GET /lab/tasks/<ticket>/file/': {
    summary: "The sealed file of a task, whole or by ranges (machine's token)",
    ...byMachine,
    refusals: ['invalid-token', 'task-gone', 'range-not-satisfiable'],
    answers: { 200: bytes, 206: bytes },
  },
  'POST /lab/tasks/<ticket>/answer/': {
    summary: "The answer to a task; the first that is one counts (machine's token)",
    ...byMachine,
    body: 'file',
    refusals: ['invalid-token', 'task-gone', 'answer-refused'],
    answers: { 204: null },
  },
} satisfies Operations;
