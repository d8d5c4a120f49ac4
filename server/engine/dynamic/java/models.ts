// Joins the tables of the core library's models into one. Knows nothing else.
import { mergedModels } from '../machine/merged-models.ts';
import type { Models } from '../machine/model.ts';
import { atomicModels } from './concurrent/atomics.ts';
import { completableFutureModels } from './concurrent/completable-future.ts';
import { executorModels, timerModels } from './concurrent/executors.ts';
import { futureModels } from './concurrent/future.ts';
import { lockModels } from './concurrent/locks.ts';
import { fileModels } from './io/file.ts';
import { inputStreamModels } from './io/input-streams.ts';
import { outputStreamModels } from './io/output-streams.ts';
import { readerModels } from './io/readers.ts';
import { writerModels } from './io/writers.ts';
import { jsonModels } from './json/models.ts';
import { characterModels } from './lang/character.ts';
import { enumModels } from './lang/enum.ts';
import { exceptionModels } from './lang/exceptions.ts';
import { integerBoxModels } from './lang/integer-boxes.ts';
import { interfaceModels } from './lang/interfaces.ts';
import { mathModels } from './lang/math.ts';
import { otherBoxModels } from './lang/other-boxes.ts';
import { processModels } from './lang/process.ts';
import { referenceModels } from './lang/references.ts';
import { stringModels } from './lang/string.ts';
import { stringBuilderModels } from './lang/string-builder.ts';
import { systemModels } from './lang/system.ts';
import { bigIntegerModels } from './math/big-integer.ts';
import { decimalModels } from './math/decimal.ts';
import { proxyModels } from './net/proxies.ts';
import { socketChannelModels } from './net/socket-channels.ts';
import { socketFactoryModels } from './net/socket-factories.ts';
import { socketModels } from './net/sockets.ts';
import { tlsModels } from './net/tls.ts';
import { urlModels } from './net/url.ts';
import { connectionModels } from './net/url-connection.ts';
import { bufferModels } from './nio/buffers.ts';
import { channelModels } from './nio/channels.ts';
import { charsetModels } from './nio/charset-models.ts';
import { fileTreeModels } from './nio/file-trees.ts';
import { filesModels } from './nio/files.ts';
import { openOptionModels } from './nio/open-options.ts';
import { pathModels } from './nio/paths.ts';
import { regexModels } from './regex/models.ts';
import { certificateModels } from './security/certificates.ts';
import { cipherModels } from './security/cipher-models.ts';
import { digestModels } from './security/digests.ts';
import { keyStoreModels } from './security/key-stores.ts';
import { keyModels } from './security/keys.ts';
import { dateFormatModels } from './text/date-format.ts';
import { dateFormatSymbolsModels } from './text/date-format-symbols.ts';
import { numberFormatModels } from './text/number-format.ts';
import { dateModels } from './time/dates.ts';
import { momentModels } from './time/moments.ts';
import { timeTextModels } from './time/texts.ts';
import { zoneModels } from './time/zones.ts';
import { arraysModels } from './util/arrays-class.ts';
import { calendarModels } from './util/calendar.ts';
import { codecModels } from './util/codecs.ts';
import { collectionModels } from './util/collection-models.ts';
import { collectionsModels } from './util/collections-class.ts';
import { collectorModels } from './util/collectors.ts';
import { dequeModels } from './util/deque-methods.ts';
import { functionModels } from './util/function.ts';
import { listModels } from './util/list-models.ts';
import { localeModels } from './util/locale.ts';
import { mapModels } from './util/map-models.ts';
import { observableModels } from './util/observable.ts';
import { priorityQueueModels } from './util/priority-queue.ts';
import { randomModels } from './util/random.ts';
import { setModels } from './util/set-models.ts';
import { streamModels } from './util/stream-state.ts';
import { stringJoinerModels } from './util/string-joiner.ts';
import { domModels } from './xml/dom.ts';
import { pullParserModels } from './xml/pull-parser.ts';
import { saxModels } from './xml/sax.ts';
import { xmlSourceModels } from './xml/sources.ts';
import { archiveModels } from './zip/archives.ts';
import { checksumModels } from './zip/checksums.ts';
import { deflateModels } from './zip/deflate.ts';

/** Models of java.*, javax.*, org.json and org.xmlpull. */
export const javaModels: Models = mergedModels([
  interfaceModels,
  exceptionModels,
  stringModels,
  stringBuilderModels,
  integerBoxModels,
  otherBoxModels,
  characterModels,
  mathModels,
  systemModels,
  processModels,
  enumModels,
  collectionModels,
  listModels,
  dequeModels,
  priorityQueueModels,
  mapModels,
  setModels,
  collectionsModels,
  arraysModels,
  functionModels,
  streamModels,
  collectorModels,
  randomModels,
  regexModels,
  decimalModels,
  inputStreamModels,
  outputStreamModels,
  readerModels,
  writerModels,
  fileModels,
  pathModels,
  openOptionModels,
  filesModels,
  fileTreeModels,
  pullParserModels,
  xmlSourceModels,
  saxModels,
  domModels,
  keyStoreModels,
  completableFutureModels,
  referenceModels,
  checksumModels,
  deflateModels,
  archiveModels,
  bufferModels,
  channelModels,
  charsetModels,
  numberFormatModels,
  dateFormatModels,
  dateFormatSymbolsModels,
  calendarModels,
  dateModels,
  momentModels,
  zoneModels,
  timeTextModels,
  localeModels,
  stringJoinerModels,
  observableModels,
  codecModels,
  bigIntegerModels,
  keyModels,
  digestModels,
  cipherModels,
  certificateModels,
  connectionModels,
  urlModels,
  socketModels,
  socketFactoryModels,
  socketChannelModels,
  tlsModels,
  proxyModels,
  jsonModels,
  lockModels,
  futureModels,
  timerModels,
  executorModels,
  atomicModels,
]);
