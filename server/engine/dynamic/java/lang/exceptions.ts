// The exception classes of the core library but those that the machine itself throws: names and superclasses. Knows no behaviour but that of a few.
import type { HeapObject } from '../../machine/heap.ts';
import type { ModelClass } from '../../machine/model.ts';
import type { Reference } from '../values.ts';

/** Exceptions by superclass, as `package/Name`. */
const FAMILY: Readonly<Record<string, readonly string[]>> = {
  'java/lang/Exception': [
    'java/io/IOException',
    'java/security/GeneralSecurityException',
    'java/util/concurrent/ExecutionException',
    'java/util/concurrent/TimeoutException',
    'java/util/concurrent/BrokenBarrierException',
    'java/util/TooManyListenersException',
    'java/util/zip/DataFormatException',
    'java/net/URISyntaxException',
    'java/text/ParseException',
    'java/sql/SQLException',
    'java/util/prefs/BackingStoreException',
    'java/security/PrivilegedActionException',
    'javax/xml/parsers/ParserConfigurationException',
    'javax/xml/transform/TransformerException',
    'org/xml/sax/SAXException',
    'org/json/JSONException',
    'org/xmlpull/v1/XmlPullParserException',
    'javax/security/auth/DestroyFailedException',
  ],
  'java/lang/Error': ['java/lang/AssertionError', 'java/io/IOError'],
  'java/lang/LinkageError': ['java/lang/ClassFormatError'],
  'java/lang/ClassFormatError': ['java/lang/UnsupportedClassVersionError'],
  'java/lang/VirtualMachineError': ['java/lang/UnknownError'],
  'java/lang/InternalError': ['java/util/zip/ZipError'],
  'java/lang/RuntimeException': [
    'java/lang/TypeNotPresentException',
    'java/lang/EnumConstantNotPresentException',
    'java/util/ConcurrentModificationException',
    'java/util/EmptyStackException',
    'java/util/MissingResourceException',
    'java/util/NoSuchElementException',
    'java/util/concurrent/RejectedExecutionException',
    'java/util/concurrent/CompletionException',
    'java/io/UncheckedIOException',
    'java/nio/BufferOverflowException',
    'java/nio/BufferUnderflowException',
    'java/lang/annotation/AnnotationTypeMismatchException',
    'java/security/ProviderException',
    'org/w3c/dom/DOMException',
    'java/time/DateTimeException',
  ],
  'java/time/DateTimeException': ['java/time/format/DateTimeParseException'],
  'java/lang/IllegalArgumentException': [
    'java/lang/NumberFormatException',
    'java/util/IllegalFormatException',
    'java/util/regex/PatternSyntaxException',
    'java/nio/charset/IllegalCharsetNameException',
    'java/nio/charset/UnsupportedCharsetException',
    'java/security/InvalidParameterException',
    'java/nio/file/InvalidPathException',
  ],
  'java/util/IllegalFormatException': [
    'java/util/UnknownFormatConversionException',
    'java/util/MissingFormatArgumentException',
    'java/util/IllegalFormatConversionException',
    'java/util/IllegalFormatPrecisionException',
    'java/util/IllegalFormatFlagsException',
    'java/util/IllegalFormatWidthException',
    'java/util/IllegalFormatCodePointException',
    'java/util/FormatFlagsConversionMismatchException',
    'java/util/MissingFormatWidthException',
    'java/util/DuplicateFormatFlagsException',
    'java/util/UnknownFormatFlagsException',
  ],
  'java/lang/IllegalStateException': [
    'java/util/concurrent/CancellationException',
    'java/util/FormatterClosedException',
    'java/nio/channels/OverlappingFileLockException',
  ],
  'java/lang/IndexOutOfBoundsException': [
    'java/lang/ArrayIndexOutOfBoundsException',
    'java/lang/StringIndexOutOfBoundsException',
  ],
  'java/lang/UnsupportedOperationException': ['java/nio/ReadOnlyBufferException'],
  'java/lang/SecurityException': ['java/security/AccessControlException'],
  'java/util/NoSuchElementException': ['java/util/InputMismatchException'],
  'java/io/IOException': [
    'java/io/FileNotFoundException',
    'java/io/EOFException',
    'java/io/UnsupportedEncodingException',
    'java/io/InterruptedIOException',
    'java/io/UTFDataFormatException',
    'java/io/CharConversionException',
    'java/io/SyncFailedException',
    'java/io/ObjectStreamException',
    'java/net/MalformedURLException',
    'java/net/UnknownHostException',
    'java/net/UnknownServiceException',
    'java/net/ProtocolException',
    'java/net/SocketException',
    'java/net/HttpRetryException',
    'java/nio/channels/ClosedChannelException',
    'java/nio/charset/CharacterCodingException',
    'java/nio/file/FileSystemException',
    'java/util/zip/ZipException',
    'java/util/InvalidPropertiesFormatException',
    'javax/net/ssl/SSLException',
  ],
  'java/util/zip/ZipException': ['java/util/jar/JarException'],
  'java/io/InterruptedIOException': ['java/net/SocketTimeoutException', 'java/nio/channels/ClosedByInterruptException'],
  'java/io/ObjectStreamException': [
    'java/io/NotSerializableException',
    'java/io/InvalidClassException',
    'java/io/InvalidObjectException',
    'java/io/StreamCorruptedException',
    'java/io/NotActiveException',
    'java/io/OptionalDataException',
    'java/io/WriteAbortedException',
  ],
  'java/net/SocketException': [
    'java/net/ConnectException',
    'java/net/BindException',
    'java/net/NoRouteToHostException',
    'java/net/PortUnreachableException',
  ],
  'java/nio/charset/CharacterCodingException': [
    'java/nio/charset/MalformedInputException',
    'java/nio/charset/UnmappableCharacterException',
  ],
  'java/nio/file/FileSystemException': [
    'java/nio/file/NoSuchFileException',
    'java/nio/file/FileAlreadyExistsException',
    'java/nio/file/DirectoryNotEmptyException',
    'java/nio/file/NotDirectoryException',
    'java/nio/file/AccessDeniedException',
  ],
  'javax/net/ssl/SSLException': [
    'javax/net/ssl/SSLHandshakeException',
    'javax/net/ssl/SSLPeerUnverifiedException',
    'javax/net/ssl/SSLProtocolException',
    'javax/net/ssl/SSLKeyException',
  ],
  'java/security/GeneralSecurityException': [
    'java/security/NoSuchAlgorithmException',
    'java/security/NoSuchProviderException',
    'java/security/KeyException',
    'java/security/DigestException',
    'java/security/SignatureException',
    'java/security/KeyStoreException',
    'java/security/UnrecoverableEntryException',
    'java/security/InvalidAlgorithmParameterException',
    'java/security/cert/CertificateException',
    'java/security/cert/CRLException',
    'java/security/cert/CertPathValidatorException',
    'java/security/cert/CertPathBuilderException',
    'java/security/spec/InvalidKeySpecException',
    'java/security/spec/InvalidParameterSpecException',
    'javax/crypto/NoSuchPaddingException',
    'javax/crypto/BadPaddingException',
    'javax/crypto/IllegalBlockSizeException',
    'javax/crypto/ShortBufferException',
    'javax/crypto/ExemptionMechanismException',
  ],
  'java/security/UnrecoverableEntryException': ['java/security/UnrecoverableKeyException'],
  'java/security/KeyException': ['java/security/InvalidKeyException', 'java/security/KeyManagementException'],
  'javax/crypto/BadPaddingException': ['javax/crypto/AEADBadTagException'],
  'java/security/cert/CertificateException': [
    'java/security/cert/CertificateEncodingException',
    'java/security/cert/CertificateExpiredException',
    'java/security/cert/CertificateNotYetValidException',
    'java/security/cert/CertificateParsingException',
  ],
  'java/sql/SQLException': ['java/sql/SQLDataException'],
  'org/xml/sax/SAXException': [
    'org/xml/sax/SAXParseException',
    'org/xml/sax/SAXNotRecognizedException',
    'org/xml/sax/SAXNotSupportedException',
  ],
  'javax/xml/transform/TransformerException': ['javax/xml/transform/TransformerConfigurationException'],
};

const TEXT = 'Ljava/lang/String;';

/** Constructors that Throwable has not. */
const MORE: Readonly<Record<string, ModelClass>> = {
  'java/lang/AssertionError': {
    methods: {
      '<init>(Ljava/lang/Object;)V': (machine, self, detail: Reference) =>
        initialize(machine, self, machine.toText(detail)),
    },
  },
  'java/text/ParseException': {
    methods: {
      '<init>(Ljava/lang/String;I)V': (machine, self, message: Reference, offset: number) => {
        initialize(machine, self, message);
        machine.setField(self, 'errorOffset', offset);
      },
      'getErrorOffset()I': (machine, self) => machine.getField(self, 'errorOffset'),
    },
    fields: ['errorOffset:I'],
  },
  'java/net/URISyntaxException': {
    methods: {
      [`<init>(${TEXT}${TEXT})V`]: (machine, self, input: Reference, reason: Reference) =>
        initialize(machine, self, machine.string(`${machine.toText(reason).text}: ${machine.toText(input).text}`)),
    },
  },
  'java/util/MissingResourceException': {
    methods: {
      [`<init>(${TEXT}${TEXT}${TEXT})V`]: (machine, self, message: Reference) => initialize(machine, self, message),
    },
  },
  'java/util/regex/PatternSyntaxException': {
    methods: {
      [`<init>(${TEXT}${TEXT}I)V`]: (machine, self, description: Reference, regex: Reference) =>
        initialize(machine, self, machine.string(`${machine.toText(description).text}\n${machine.toText(regex).text}`)),
      'getDescription()Ljava/lang/String;': (machine, self) => machine.call(self, 'getMessage()Ljava/lang/String;'),
    },
  },
  'java/lang/ArrayIndexOutOfBoundsException': {
    methods: {
      '<init>(I)V': (machine, self, index: number) =>
        initialize(machine, self, machine.string(`Array index out of range: ${index}`)),
    },
  },
  'java/lang/StringIndexOutOfBoundsException': {
    methods: {
      '<init>(I)V': (machine, self, index: number) =>
        initialize(machine, self, machine.string(`String index out of range: ${index}`)),
    },
  },
};

function initialize(
  machine: Parameters<NonNullable<ModelClass['methods']>[string]>[0],
  self: HeapObject,
  message: Reference,
): void {
  const initializer = machine.resolveMethod(machine.classOf('Ljava/lang/Throwable;'), '<init>(Ljava/lang/String;)V');
  if (initializer !== null) machine.invoke(initializer, [self, message]);
}

function table(): Record<string, ModelClass> {
  const models: Record<string, ModelClass> = {};
  for (const [parent, children] of Object.entries(FAMILY)) {
    for (const child of children) models[`L${child};`] = { ...MORE[child], extends: `L${parent};` };
  }
  return models;
}

export const exceptionModels: Record<string, ModelClass> = table();
