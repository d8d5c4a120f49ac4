// Sealed collections over HTTP: a part of the catalogue written to one file for another workstation, and read from one.
import {
  collectionTransferSchema,
  collectionTransfersSchema,
  newCollectionSchema,
  readCollectionSchema,
  toldSayingsSchema,
} from '../workstation/collection.ts';
import type { Operations } from './operation.ts';

const owners = { access: 'token', policy: 'storage.manage' } as const;

export const collectionOperations = {
  'GET /collections/': {
    summary: 'Sealed collections that were written or read since the start, the newest first (owner)',
    ...owners,
    answers: { 200: collectionTransfersSchema },
  },
  'POST /collections/write/': {
    summary: 'Begins to write APKs with all that is known of them to a file that a passphrase seals (owner)',
    ...owners,
    body: newCollectionSchema,
    refusals: ['invalid-search', 'too-many-apks'],
    answers: { 202: collectionTransferSchema },
  },
  'POST /collections/read/': {
    summary: 'Begins to take in a sealed collection of another workstation (owner)',
    ...owners,
    body: readCollectionSchema,
    answers: { 202: collectionTransferSchema },
  },
  'GET /collections/<id>/': {
    summary: 'How far the writing or reading of a sealed collection is (owner)',
    ...owners,
    answers: { 200: collectionTransferSchema },
  },
  'GET /apks/<sha256>/told/': {
    summary: 'What people and rules of other workstations said of an APK, the newest first',
    access: 'token',
    answers: { 200: toldSayingsSchema },
  },
} satisfies Operations;
