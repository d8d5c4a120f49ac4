// Families of APKs over HTTP.
import {
  familyActionsSchema,
  familyApksSchema,
  familyChangesSchema,
  familyDetailSchema,
  familyListQuerySchema,
  familyListSchema,
  familyMembersSchema,
  familyMergeSchema,
  familySchema,
  familySplitSchema,
  familyUndoSchema,
  familyVerdictSchema,
  newFamilySchema,
} from '../catalogue/family.ts';
import { bulkAnswerSchema } from '../jobs/bulk.ts';
import type { Operations } from './operation.ts';

export const familyOperations = {
  'GET /families/': {
    summary: 'Families of APKs whose own code is much the same',
    access: 'token',
    query: familyListQuerySchema,
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: familyListSchema },
  },
  'POST /families/': {
    summary: 'Makes a family of chosen APKs, which leave the ones they were in',
    access: 'token',
    body: newFamilySchema,
    answers: { 201: familySchema },
  },
  'GET /families/<id>/': {
    summary: 'A family: proposed names, members over time, what all share and what differs',
    access: 'token',
    answers: { 200: familyDetailSchema },
  },
  'PATCH /families/<id>/': {
    summary: 'Names a family, or notes something on it',
    access: 'token',
    body: familyChangesSchema,
    answers: { 200: familySchema },
  },
  'GET /families/<id>/apks/': {
    summary: 'The members of a family, newest first',
    access: 'token',
    paging: 'number',
    answers: { 200: familyMembersSchema },
  },
  'POST /families/<id>/apks/': {
    summary: 'Puts APKs into a family, which leave the ones they were in',
    access: 'token',
    body: familyApksSchema,
    answers: { 200: familySchema },
  },
  'DELETE /families/<id>/apks/<sha256>/': {
    summary: 'Takes an APK out of a family, into which it does not come back by itself',
    access: 'token',
    answers: { 204: null },
  },
  'POST /families/<id>/split/': {
    summary: 'Splits members off into a family of their own',
    access: 'token',
    body: familySplitSchema,
    answers: { 201: familySchema },
  },
  'POST /families/<id>/merge/': {
    summary: 'Merges another family into this one',
    access: 'token',
    body: familyMergeSchema,
    answers: { 200: familySchema },
  },
  'POST /families/<id>/verdict/': {
    summary: 'Says of all members of a family what they are',
    access: 'token',
    body: familyVerdictSchema,
    answers: { 200: bulkAnswerSchema },
  },
  'GET /families/<id>/actions/': {
    summary: 'What people did with a family, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: familyActionsSchema },
  },
  'POST /families/<id>/undo/': {
    summary: 'Undoes what somebody did with a family',
    access: 'token',
    body: familyUndoSchema,
    refusals: ['undone-already'],
    answers: { 200: familySchema },
  },
} satisfies Operations;
