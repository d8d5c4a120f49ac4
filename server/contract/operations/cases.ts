// Cases over HTTP: APKs that people look into together.
import {
  addedCaseApksSchema,
  caseApksSchema,
  caseChangesSchema,
  caseEntriesQuerySchema,
  caseEntriesSchema,
  caseEntryChangesSchema,
  caseEntrySchema,
  caseFileSchema,
  caseListQuerySchema,
  caseListSchema,
  caseSchema,
  importedCaseSchema,
  newCaseApksSchema,
  newCaseEntrySchema,
  newCaseSchema,
  wholeCaseListSchema,
} from '../catalogue/case.ts';
import type { Operations } from './operation.ts';

export const caseOperations = {
  'GET /cases/': {
    summary: 'Cases, the latest changed first',
    access: 'token',
    query: caseListQuerySchema,
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: caseListSchema },
  },
  'POST /cases/': {
    summary: 'Makes a case',
    access: 'token',
    body: newCaseSchema,
    answers: { 201: caseSchema },
  },
  'POST /cases/import/': {
    summary: 'Takes in a case that a workstation wrote to a file; APKs that are not here are kept by their hash',
    access: 'token',
    body: caseFileSchema,
    answers: { 201: importedCaseSchema },
  },
  'GET /cases/<id>/': {
    summary: 'A case',
    access: 'token',
    answers: { 200: caseSchema },
  },
  'PATCH /cases/<id>/': {
    summary: 'Names a case, notes something on it, closes it or says who works on it',
    access: 'token',
    body: caseChangesSchema,
    answers: { 200: caseSchema },
  },
  'DELETE /cases/<id>/': {
    summary: 'Deletes a case with its notes, not its APKs (who made it, the owner)',
    access: 'token',
    answers: { 204: null },
  },
  'GET /cases/<id>/file/': {
    summary: 'A whole case with what is known of its APKs, as a file that another workstation takes in',
    isAudited: true,
    access: 'token',
    answers: { 200: caseFileSchema },
  },
  'GET /cases/<id>/apks/': {
    summary: 'The APKs of a case, added last first',
    access: 'token',
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: caseApksSchema },
  },
  'POST /cases/<id>/apks/': {
    summary: 'Adds APKs to a case, by their hashes or by a search',
    access: 'token',
    body: newCaseApksSchema,
    refusals: ['invalid-search', 'too-many-apks'],
    answers: { 200: addedCaseApksSchema },
  },
  'DELETE /cases/<id>/apks/<sha256>/': {
    summary: 'Takes an APK out of a case',
    access: 'token',
    answers: { 204: null },
  },
  'GET /cases/<id>/entries/': {
    summary: 'Notes, questions, tasks and events of a case by when they happened, the latest first',
    access: 'token',
    query: caseEntriesQuerySchema,
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: caseEntriesSchema },
  },
  'POST /cases/<id>/entries/': {
    summary: 'Writes a note, a question, a task or an event into a case',
    access: 'token',
    body: newCaseEntrySchema,
    answers: { 201: caseEntrySchema },
  },
  'PATCH /cases/<id>/entries/<entry>/': {
    summary: 'Changes an entry of a case, answers a question, or says that a task is done',
    access: 'token',
    body: caseEntryChangesSchema,
    answers: { 200: caseEntrySchema },
  },
  'DELETE /cases/<id>/entries/<entry>/': {
    summary: 'Deletes an entry of a case',
    access: 'token',
    answers: { 204: null },
  },
  'GET /apks/<sha256>/cases/': {
    summary: 'The cases that an APK belongs to',
    access: 'token',
    answers: { 200: wholeCaseListSchema },
  },
} satisfies Operations;
