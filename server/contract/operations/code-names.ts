// Names and notes on the code of an APK over HTTP.
import {
  acceptedOffersSchema,
  acceptOffersSchema,
  codeNameListSchema,
  codeNameOffersSchema,
  codeNameQuerySchema,
  codeNameSchema,
  deobfuscationSchema,
  mappingQuerySchema,
  mappingResultSchema,
  newCodeNameSchema,
  newMappingSchema,
  offersQuerySchema,
} from '../catalogue/code-name.ts';
import type { Operations } from './operation.ts';

const ofCode = ['content-unreadable', 'exploration-failed'] as const;

export const codeNameOperations = {
  'GET /apks/<sha256>/code/names/': {
    summary: 'Names and notes that were given to the code of an APK, newest first',
    access: 'token',
    query: codeNameQuerySchema,
    paging: 'cursor',
    answers: { 200: codeNameListSchema },
  },
  'PUT /apks/<sha256>/code/names/': {
    summary: 'Names a class, member, variable or package, or adds a note to the code; an empty text removes it',
    access: 'token',
    body: newCodeNameSchema,
    refusals: ofCode,
    answers: { 200: codeNameSchema, 204: null },
  },
  'GET /apks/<sha256>/code/names/mapping/': {
    summary: "The names and notes of an APK's code as a mapping file, ProGuard's or jadx's",
    access: 'token',
    query: mappingQuerySchema,
    answers: { 200: ['text/plain'] },
  },
  'POST /apks/<sha256>/code/names/mapping/': {
    summary: 'Imports names from a ProGuard or jadx mapping file, and reports lines that could not be applied',
    access: 'token',
    body: newMappingSchema,
    refusals: ofCode,
    answers: { 200: mappingResultSchema },
  },
  'GET /apks/<sha256>/code/names/offers/': {
    summary: 'Names that equal classes of other APKs were given',
    access: 'token',
    query: offersQuerySchema,
    refusals: ofCode,
    answers: { 200: codeNameOffersSchema },
  },
  'POST /apks/<sha256>/code/names/offers/': {
    summary: 'Applies the names that equal classes of other APKs were given',
    access: 'token',
    body: acceptOffersSchema,
    refusals: ofCode,
    answers: { 200: acceptedOffersSchema },
  },
  'GET /apks/<sha256>/code/deobfuscation/': {
    summary: 'Whether obfuscated code of an APK is shown with readable names',
    access: 'token',
    answers: { 200: deobfuscationSchema },
  },
  'PUT /apks/<sha256>/code/deobfuscation/': {
    summary: 'Switches readable names for obfuscated code of an APK on or off, for everybody',
    access: 'token',
    body: deobfuscationSchema,
    answers: { 200: deobfuscationSchema },
  },
  'DELETE /apks/<sha256>/code/names/<id>/': {
    summary: 'Removes a name or note on code',
    access: 'token',
    answers: { 204: null },
  },
} satisfies Operations;
