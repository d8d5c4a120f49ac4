// Answers one question about an APK. Knows which module answers it, not how.
import type { FileReference, LeftFiles } from '../../contract/engine/analysis-results.ts';
import type { CodeNames } from '../../contract/engine/code-names.ts';
import type { Exploration, ExplorationAnswers, ExplorationKind } from '../../contract/engine/exploration.ts';
import { maxFailureText } from '../../contract/process-line/limits.ts';
import type { ExplorationReply } from '../../contract/process-line/results.ts';
import { bundleStringsOf, bundlesOf } from './bundles.ts';
import { measureEntropy, searchBytes } from './byte-survey.ts';
import { callGraphOf } from './call-graph.ts';
import { codeAtOf } from './code-at.ts';
import { codeBytesOf } from './code-bytes.ts';
import { classOf, codeOutline } from './code-classes.ts';
import { codePlacesOf, derivedNamesOf, equalClassesOf, nameVerdicts, renamedClass } from './code-names.ts';
import { referencesOf } from './code-references.ts';
import { searchCode } from './code-search.ts';
import { contentOf, imageOf, xmlOf } from './entries.ts';
import { ExplorationFault } from './fault.ts';
import { searchJava } from './java-search.ts';
import { javaOf } from './java-source.ts';
import { prepareDisassembler } from './native/disassembler.ts';
import { nativeCodeOf, nativeFunctionsOf } from './native/native-code.ts';
import { nativeMethodsOf } from './native/native-methods.ts';
import { type OpenedApp, openedApp } from './opened-app.ts';
import { permissionUsesOf } from './permission-uses.ts';
import { resourceOutline, resourcesOf } from './resources.ts';

const answers: {
  [K in keyof ExplorationAnswers]: (
    app: OpenedApp,
    question: Extract<Exploration, { ask: K }>,
  ) => ExplorationAnswers[K];
} = {
  content: contentOf,
  'byte-search': searchBytes,
  entropy: measureEntropy,
  image: imageOf,
  xml: xmlOf,
  'resource-outline': resourceOutline,
  resources: resourcesOf,
  'code-outline': codeOutline,
  package: (app, question) => {
    const level = app.treeOf(question.dex).level(question.package, question.offset, question.limit);
    if (level === null) throw new ExplorationFault('not-found', 'the app has no such package');
    return { ...level, classes: level.classes.map((one) => ({ ...one, renamed: renamedClass(app, one.name) })) };
  },
  class: classOf,
  java: javaOf,
  'java-search': searchJava,
  references: referencesOf,
  'call-graph': callGraphOf,
  'code-bytes': codeBytesOf,
  'code-at': codeAtOf,
  'code-search': searchCode,
  'permission-uses': permissionUsesOf,
  'name-check': nameVerdicts,
  'code-places': codePlacesOf,
  'derived-names': derivedNamesOf,
  'equal-classes': equalClassesOf,
  'native-functions': nativeFunctionsOf,
  'native-code': nativeCodeOf,
  'native-methods': nativeMethodsOf,
  bundles: bundlesOf,
  'bundle-strings': bundleStringsOf,
};

/** Loads what the answer to a question needs that cannot be loaded while it is answered. */
export async function makeReady({ ask }: Exploration): Promise<void> {
  if (ask === 'native-functions' || ask === 'native-code') await prepareDisassembler();
}

/** @throws the file system's error or SealedFileError where the APK's file cannot be opened */
export function explore(
  file: FileReference,
  question: Exploration,
  left: LeftFiles = [],
  names?: CodeNames,
): ExplorationReply {
  try {
    const app = openedApp(file, left, names);
    const answer = answers[question.ask] as (
      app: OpenedApp,
      question: Exploration,
    ) => ExplorationAnswers[ExplorationKind];
    return { status: 'answered', ask: question.ask, answer: answer(app, question) } as ExplorationReply;
  } catch (error) {
    if (!(error instanceof ExplorationFault)) throw error;
    return { status: 'refused', fault: error.code, reason: error.message.slice(0, maxFailureText), field: error.field };
  }
}
