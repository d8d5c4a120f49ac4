// Classes of the framework that only need to stand in the right place of the hierarchy, so that what apps build on them
// behaves as its superclass does. Knows no behaviour.
import type { HeapObject, Value } from '../machine/heap.ts';
import type { ModelClass, Models } from '../machine/model.ts';
import { each, listOf, no, none, nothing, yes } from './model-parts.ts';

/** Class and superclass. */
const subclasses: readonly (readonly [name: string, superclass: string])[] = [
  ['android/content/SearchRecentSuggestionsProvider', 'android/content/ContentProvider'],
  ['android/provider/DocumentsProvider', 'android/content/ContentProvider'],
  ['android/test/mock/MockContentProvider', 'android/content/ContentProvider'],
  ['android/app/LauncherActivity', 'android/app/ListActivity'],
  ['android/app/ActivityGroup', 'android/app/Activity'],
  ['android/widget/HeaderViewListAdapter', 'android/widget/BaseAdapter'],
  ['android/widget/StackView', 'android/widget/AdapterView'],
  ['android/widget/ActionMenuView', 'android/widget/LinearLayout'],
  ['android/opengl/GLSurfaceView', 'android/view/SurfaceView'],
  ['android/view/TextureView', 'android/view/View'],
  ['android/inputmethodservice/KeyboardView', 'android/view/View'],
  ['android/gesture/GestureOverlayView', 'android/widget/FrameLayout'],
  ['android/appwidget/AppWidgetHostView', 'android/widget/FrameLayout'],
  ['android/app/DatePickerDialog', 'android/app/AlertDialog'],
  ['android/app/TimePickerDialog', 'android/app/AlertDialog'],
  ['android/service/dreams/DreamService', 'android/app/Service'],
  ['android/telecom/InCallService', 'android/app/Service'],
  ['android/telecom/ConnectionService', 'android/app/Service'],
  ['android/service/quicksettings/TileService', 'android/app/Service'],
  ['android/speech/RecognitionService', 'android/app/Service'],
  ['android/print/PrintService', 'android/app/Service'],
  ['android/location/LocationProvider', 'java/lang/Object'],
  ['android/app/backup/BackupAgent', 'android/content/ContextWrapper'],
  ['android/app/backup/BackupAgentHelper', 'android/app/backup/BackupAgent'],
  ['android/text/method/PasswordTransformationMethod', 'java/lang/Object'],
  ['android/graphics/drawable/BitmapDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ColorDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/GradientDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/LayerDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/StateListDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/AnimationDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ShapeDrawable', 'android/graphics/drawable/Drawable'],
];

const descriptor = (name: string): string => `L${name};`;

/** Observers of the framework's, kept where apps' subclasses look for them. */
const observable: ModelClass = {
  fields: ['mObservers:Ljava/util/ArrayList;'],
  methods: {
    '<init>()V': (machine, me: HeapObject) => {
      machine.setField(me, 'mObservers', listOf(machine, []));
    },
    'registerObserver(Ljava/lang/Object;)V': (machine, me: HeapObject, observer: Value) => {
      machine.call(machine.getField(me, 'mObservers') as HeapObject, 'add(Ljava/lang/Object;)Z', observer);
    },
    'unregisterObserver(Ljava/lang/Object;)V': (machine, me: HeapObject, observer: Value) => {
      machine.call(machine.getField(me, 'mObservers') as HeapObject, 'remove(Ljava/lang/Object;)Z', observer);
    },
    'unregisterAll()V': (machine, me: HeapObject) => {
      machine.call(machine.getField(me, 'mObservers') as HeapObject, 'clear()V');
    },
  },
};

const delegateType = 'Landroid/view/View$AccessibilityDelegate;';

export const moreModels: Models = {
  'Landroid/database/Observable;': observable,
  [delegateType]: {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'sendAccessibilityEvent(Landroid/view/View;I)V',
        ...['onInitialize', 'onPopulate'].map(
          (name) => `${name}AccessibilityEvent(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)V`,
        ),
        'onInitializeAccessibilityNodeInfo(Landroid/view/View;Landroid/view/accessibility/AccessibilityNodeInfo;)V',
        'sendAccessibilityEventUnchecked(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)V',
      ),
      ...each(
        no,
        'dispatchPopulateAccessibilityEvent(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)Z',
        'onRequestSendAccessibilityEvent(Landroid/view/ViewGroup;Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)Z',
        'performAccessibilityAction(Landroid/view/View;ILandroid/os/Bundle;)Z',
      ),
      'getAccessibilityNodeProvider(Landroid/view/View;)Landroid/view/accessibility/AccessibilityNodeProvider;': none,
    },
  },
  'Landroid/os/Trace;': {
    staticMethods: each(nothing, 'beginSection(Ljava/lang/String;)V', 'endSection()V'),
  },
  ...Object.fromEntries(
    subclasses.map(([name, superclass]) => [descriptor(name), { extends: descriptor(superclass) }]),
  ),
  'Landroid/graphics/drawable/Drawable;': {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'setBounds(IIII)V',
        'setAlpha(I)V',
        'draw(Landroid/graphics/Canvas;)V',
        'setColorFilter(ILandroid/graphics/PorterDuff$Mode;)V',
        'invalidateSelf()V',
        'setCallback(Landroid/graphics/drawable/Drawable$Callback;)V',
      ),
      'getIntrinsicWidth()I': () => 96,
      'getIntrinsicHeight()I': () => 96,
      'mutate()Landroid/graphics/drawable/Drawable;': (_machine, me: HeapObject) => me,
      'getConstantState()Landroid/graphics/drawable/Drawable$ConstantState;': none,
      'isStateful()Z': no,
      'setState([I)Z': no,
      'setVisible(ZZ)Z': yes,
      'getBitmap()Landroid/graphics/Bitmap;': (machine) => machine.allocate('Landroid/graphics/Bitmap;'),
    },
  },
  'Landroid/app/NotificationChannel;': {
    methods: each(
      nothing,
      '<init>(Ljava/lang/String;Ljava/lang/CharSequence;I)V',
      'setDescription(Ljava/lang/String;)V',
      'setShowBadge(Z)V',
      'setLockscreenVisibility(I)V',
      'enableLights(Z)V',
      'enableVibration(Z)V',
      'setSound(Landroid/net/Uri;Landroid/media/AudioAttributes;)V',
    ),
  },
};
