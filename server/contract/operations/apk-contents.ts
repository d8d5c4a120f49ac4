// What is inside an APK over HTTP: bytes of its files, resources, code.

import { z } from 'zod';
import { apkDetailSchema, filesSchema } from '../catalogue/apk.ts';
import { shownChildListSchema } from '../catalogue/child.ts';
import {
  bundleListSchema,
  bundleStringsQuerySchema,
  bundleStringsSchema,
  bundlesQuerySchema,
} from '../engine/bundles.ts';
import { callGraphQuerySchema, callGraphSchema } from '../engine/call-graph.ts';
import { codeAtQuerySchema, codeAtSchema } from '../engine/code-at.ts';
import { codeBytesQuerySchema, codeBytesSchema } from '../engine/code-bytes.ts';
import {
  comparedLinesSchema,
  comparingSchema,
  comparisonQuerySchema,
  comparisonSchema,
  linesQuerySchema,
} from '../engine/comparison.ts';
import {
  byteSearchQuerySchema,
  byteSearchSchema,
  classQuerySchema,
  codeClassSchema,
  codeOutlineSchema,
  codePackageSchema,
  codeSearchPageSchema,
  codeSearchQuerySchema,
  contentQuerySchema,
  entropySchema,
  entryQuerySchema,
  packageQuerySchema,
  permissionUsesSchema,
  referencePageSchema,
  referenceQuerySchema,
  resourceOutlineSchema,
  resourcePageSchema,
  resourceQuerySchema,
  xmlTextSchema,
} from '../engine/exploration.ts';
import { javaQuerySchema, javaSearchQuerySchema, javaSearchSchema, javaSourceSchema } from '../engine/java-source.ts';
import {
  nativeCodeQuerySchema,
  nativeCodeSchema,
  nativeFunctionsQuerySchema,
  nativeFunctionsSchema,
  nativeMethodsQuerySchema,
  nativeMethodsSchema,
} from '../engine/native-code.ts';
import { androguardReportSchema } from '../engine/reports.ts';
import type { Operation, Operations } from './operation.ts';

/** Its query, with the name of the question, is what the worker is asked. */
const question = <Query extends z.ZodObject, Shown extends z.ZodType>(summary: string, query: Query, answer: Shown) =>
  ({
    summary,
    access: 'token',
    query,
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: answer },
  }) as const satisfies Operation;

export const apkContentOperations = {
  'GET /apks/<sha256>/files/content/': {
    summary: 'Bytes of a file inside the APK, or of the APK itself',
    access: 'token',
    query: contentQuerySchema,
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: ['application/octet-stream'] },
  },
  'GET /apks/<sha256>/files/search/': question(
    'Places of a text or of bytes in a file inside the APK, or in the APK itself',
    byteSearchQuerySchema,
    byteSearchSchema,
  ),
  'GET /apks/<sha256>/files/entropy/': question(
    'The entropy of a file inside the APK, or of the APK itself, as a whole and by stretches',
    entryQuerySchema,
    entropySchema,
  ),
  'GET /apks/<sha256>/files/image/': {
    summary: 'A raster image inside the APK, known by its own signature',
    access: 'token',
    query: entryQuerySchema,
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
  },
  'GET /apks/<sha256>/artefacts/<artefact>/': {
    summary: 'Bytes that the app loaded or wrote while it was run, by their SHA-256 in the dynamic report',
    access: 'token',
    answers: { 200: ['application/octet-stream'] },
  },
  'GET /apks/<sha256>/compare/<other>/': {
    summary: 'The difference of two APKs: the lower version code stands left, else what was seen first',
    access: 'token',
    limit: 'apk-analysis',
    query: comparisonQuerySchema,
    refusals: ['not-comparable', 'exploration-failed'],
    answers: { 200: comparisonSchema, 202: comparingSchema },
  },
  'GET /apks/<sha256>/compare/<other>/lines/': {
    summary: 'A class or method of two APKs, or their manifests, side by side, sides as in their comparison',
    access: 'token',
    query: linesQuerySchema,
    refusals: ['not-comparable', 'content-unreadable', 'exploration-failed'],
    answers: { 200: comparedLinesSchema, 202: comparingSchema },
  },
  'GET /apks/<sha256>/files/xml/': question(
    'A binary XML file inside the APK as text',
    entryQuerySchema,
    xmlTextSchema,
  ),
  'GET /apks/<sha256>/resources/': question('Types of the resource table', z.object({}), resourceOutlineSchema),
  'GET /apks/<sha256>/resources/values/': question(
    'Resources with their values',
    resourceQuerySchema,
    resourcePageSchema,
  ),
  'GET /apks/<sha256>/code/': question('The dex files of the app', z.object({}), codeOutlineSchema),
  'GET /apks/<sha256>/code/classes/': question(
    'Packages and classes of a package',
    packageQuerySchema,
    codePackageSchema,
  ),
  'GET /apks/<sha256>/code/class/': question('A class with its smali', classQuerySchema, codeClassSchema),
  'GET /apks/<sha256>/code/java/': question(
    'The Java source of a class, with what each range of it shows',
    javaQuerySchema,
    javaSourceSchema,
  ),
  'GET /apks/<sha256>/code/java/search/': question(
    'Searches the Java source of all code, page by page',
    javaSearchQuerySchema,
    javaSearchSchema,
  ),
  'GET /apks/<sha256>/code/references/': question(
    'Callers or callees of code',
    referenceQuerySchema,
    referencePageSchema,
  ),
  'GET /apks/<sha256>/code/calls/': question(
    'Methods around one: who calls it and whom it calls, up to three steps far',
    callGraphQuerySchema,
    callGraphSchema,
  ),
  'GET /apks/<sha256>/code/bytes/': question(
    'The instructions of a method as bytes, open where other builds of the same code differ',
    codeBytesQuerySchema,
    codeBytesSchema,
  ),
  'GET /apks/<sha256>/code/at/': question(
    'The code that stands at bytes of a dex file, or uses the text that does',
    codeAtQuerySchema,
    codeAtSchema,
  ),
  'GET /apks/<sha256>/code/search/': question(
    'Searches names and constants of all code',
    codeSearchQuerySchema,
    codeSearchPageSchema,
  ),
  'GET /apks/<sha256>/code/permissions/': question(
    'Code that uses what permissions guard',
    z.object({}),
    permissionUsesSchema,
  ),
  'GET /apks/<sha256>/native/functions/': question(
    'Functions of a native library: exports, imports, and what symbols, tables and calls lead to',
    nativeFunctionsQuerySchema,
    nativeFunctionsSchema,
  ),
  'GET /apks/<sha256>/native/code/': question(
    'The code of a native function, page by page, with what each instruction refers to',
    nativeCodeQuerySchema,
    nativeCodeSchema,
  ),
  'GET /apks/<sha256>/native/methods/': question(
    'Functions of native libraries that implement methods of a class',
    nativeMethodsQuerySchema,
    nativeMethodsSchema,
  ),
  'GET /apks/<sha256>/native/bundles/': question(
    'Code of other runtimes that the app carries: Hermes, React Native, Flutter, .NET, Unity …',
    bundlesQuerySchema,
    bundleListSchema,
  ),
  'GET /apks/<sha256>/native/bundles/strings/': question(
    'Strings of such code, page by page, with where each stands',
    bundleStringsQuerySchema,
    bundleStringsSchema,
  ),
  'GET /apks/<sha256>/children/': {
    summary: 'Apps, dex files, native code and scripts that came out of the APK, with what their analyses say',
    access: 'token',
    answers: { 200: shownChildListSchema },
  },
  'GET /apks/<sha256>/children/<child>/report/': {
    summary: 'The static report of a file of code that came out of the APK, by its SHA-256',
    access: 'token',
    refusals: ['no-report'],
    answers: { 200: androguardReportSchema },
  },
  'GET /apks/<sha256>/children/<child>/files/': {
    summary: 'Every entry of an app that came out of the APK',
    access: 'token',
    refusals: ['no-report'],
    answers: { 200: filesSchema },
  },
  'GET /apks/<sha256>/children/<child>/file/': {
    summary: 'Bytes of a file of code that came out of the APK',
    access: 'token',
    refusals: ['content-unreadable', 'exploration-failed'],
    answers: { 200: ['application/octet-stream'] },
  },
  'POST /apks/<sha256>/children/<child>/promote/': {
    summary: 'Adds an app that came out of the APK to the catalogue, as if it were uploaded',
    access: 'token',
    refusals: ['not-an-apk', 'content-unreadable', 'exploration-failed'],
    answers: { 200: apkDetailSchema, 201: apkDetailSchema },
  },
} satisfies Operations;
