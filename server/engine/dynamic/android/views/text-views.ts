// Models of views that show a text, fields and buttons among them. Knows no layout.
import { nothing } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { asString, each, no, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { widget } from './view-parts.ts';
import { isPasswordField, viewOf } from './view-tree.ts';

/** Sets a text as the user or the app does, and calls its TextWatchers. */
export function changeText(machine: Machine, view: HeapObject, value: Reference): undefined {
  const state = viewOf(view);
  const before = state.text === null ? '' : plain(machine, state.text);
  state.text = asString(machine, value);
  const after = state.text === null ? machine.string('') : asString(machine, state.text)!;
  for (const watcher of [...state.watchers]) {
    const old = machine.string(before);
    machine.call(watcher, 'beforeTextChanged(Ljava/lang/CharSequence;III)V', old, 0, before.length, after.text.length);
    machine.call(watcher, 'onTextChanged(Ljava/lang/CharSequence;III)V', after, 0, before.length, after.text.length);
    machine.call(watcher, 'afterTextChanged(Landroid/text/Editable;)V', editable(machine, after));
  }
}

/** A text as fields hold it. */
export function editable(machine: Machine, value: Reference): HeapObject {
  const string = asString(machine, value) ?? machine.string('');
  const text = machine.construct('Landroid/text/SpannableStringBuilder;', '<init>(Ljava/lang/CharSequence;)V', string);
  text.taint = string.taint;
  return text;
}

/** The text of a field; a password field's is tainted even while it is empty. */
const fieldText: NativeMethod = (machine, me) => {
  const state = viewOf(me);
  const isMissing = state.text === null || plain(machine, state.text) === '';
  const password = isMissing && isPasswordField(state);
  return editable(
    machine,
    password ? machine.string('', machine.source('TAINT_PASSWORD', 'EditText.getText')) : state.text,
  );
};

const setText: NativeMethod = (machine, me, value: Reference) => changeText(machine, me, value);
const setTextById: NativeMethod = (machine, me, id: number) => {
  const value = machine.call(
    singleton(machine, 'Landroid/content/res/Resources;'),
    'getString(I)Ljava/lang/String;',
    id,
  );
  return changeText(machine, me, value as Reference);
};

const textMethods: NativeMethods = {
  'getText()Ljava/lang/CharSequence;': (machine, me) => viewOf(me).text ?? machine.string(''),
  ...each(
    setText,
    'setText(Ljava/lang/CharSequence;)V',
    'setText(Ljava/lang/CharSequence;Landroid/widget/TextView$BufferType;)V',
    'setTextKeepState(Ljava/lang/CharSequence;)V',
  ),
  ...each(setTextById, 'setText(I)V', 'setText(ILandroid/widget/TextView$BufferType;)V'),
  'append(Ljava/lang/CharSequence;)V': (machine, me, value: Reference) => {
    const state = viewOf(me);
    const joined = `${state.text === null ? '' : plain(machine, state.text)}${plain(machine, value)}`;
    const taint = machine.union(state.text?.taint ?? 0, value === null ? 0 : (asString(machine, value)?.taint ?? 0));
    changeText(machine, me, machine.string(joined, taint));
  },
  'length()I': (machine, me) => plain(machine, viewOf(me).text).length,
  'getHint()Ljava/lang/CharSequence;': (_machine, me) => viewOf(me).hint,
  'setHint(Ljava/lang/CharSequence;)V': (_machine, me, hint: Reference) => {
    viewOf(me).hint = hint;
  },
  'setHint(I)V': nothing,
  'getInputType()I': (_machine, me) => viewOf(me).inputType,
  ...each(
    (_machine, me, type: number) => {
      viewOf(me).inputType = type;
    },
    'setInputType(I)V',
    'setRawInputType(I)V',
  ),
  'setTransformationMethod(Landroid/text/method/TransformationMethod;)V': (machine, me, method: Reference) => {
    if (method !== null && machine.isInstance(method, 'Landroid/text/method/PasswordTransformationMethod;'))
      viewOf(me).inputType = 0x81;
  },
  'addTextChangedListener(Landroid/text/TextWatcher;)V': (_machine, me, watcher: Reference) => {
    if (watcher !== null) viewOf(me).watchers.push(watcher);
  },
  'removeTextChangedListener(Landroid/text/TextWatcher;)V': (_machine, me, watcher: Reference) => {
    const { watchers } = viewOf(me);
    const at = watcher === null ? -1 : watchers.indexOf(watcher);
    if (at >= 0) watchers.splice(at, 1);
  },
  'getPaint()Landroid/text/TextPaint;': (machine) => machine.allocate('Landroid/text/TextPaint;'),
  'getCurrentTextColor()I': () => -16_777_216,
  'getTextSize()F': () => 42,
  'getLineCount()I': () => 1,
  ...each(
    nothing,
    'setTextColor(I)V',
    'setTextColor(Landroid/content/res/ColorStateList;)V',
    'setTextSize(F)V',
    'setTextSize(IF)V',
    'setTypeface(Landroid/graphics/Typeface;)V',
    'setTypeface(Landroid/graphics/Typeface;I)V',
    'setMovementMethod(Landroid/text/method/MovementMethod;)V',
    'setError(Ljava/lang/CharSequence;)V',
    'setSingleLine()V',
    'setSingleLine(Z)V',
    'setMaxLines(I)V',
    'setLines(I)V',
    'setMinLines(I)V',
    'setEllipsize(Landroid/text/TextUtils$TruncateAt;)V',
    'setCompoundDrawables(Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;Landroid/graphics/drawable/Drawable;)V',
    'setCompoundDrawablesWithIntrinsicBounds(IIII)V',
    'setFilters([Landroid/text/InputFilter;)V',
    'setImeOptions(I)V',
    'setAutoLinkMask(I)V',
    'setAllCaps(Z)V',
    'setHintTextColor(I)V',
    'setLinkTextColor(I)V',
    'setPaintFlags(I)V',
    'setLineSpacing(FF)V',
    'setMaxWidth(I)V',
    'setMinWidth(I)V',
    'setWidth(I)V',
    'setHeight(I)V',
    'setTextAppearance(Landroid/content/Context;I)V',
    'setTextAppearance(I)V',
    'setSelectAllOnFocus(Z)V',
    'setCursorVisible(Z)V',
  ),
};

const checkMethods: NativeMethods = {
  'isChecked()Z': (_machine, me) => viewOf(me).isChecked,
  'setChecked(Z)V': (_machine, me, checked: number) => {
    viewOf(me).isChecked = checked !== 0;
  },
  'toggle()V': (_machine, me) => {
    viewOf(me).isChecked = !viewOf(me).isChecked;
  },
};

const asText = 'Landroid/widget/TextView;';

export const textViewModels: Models = {
  [asText]: widget('Landroid/view/View;', textMethods),
  'Landroid/widget/EditText;': widget(asText, {
    ...each(fieldText, 'getText()Landroid/text/Editable;', 'getText()Ljava/lang/CharSequence;'),
    ...each(nothing, 'setSelection(I)V', 'setSelection(II)V', 'selectAll()V'),
  }),
  'Landroid/widget/AutoCompleteTextView;': widget('Landroid/widget/EditText;'),
  'Landroid/widget/MultiAutoCompleteTextView;': widget('Landroid/widget/AutoCompleteTextView;'),
  'Landroid/widget/Button;': widget(asText),
  'Landroid/widget/CompoundButton;': widget('Landroid/widget/Button;', checkMethods),
  ...Object.fromEntries(
    ['CheckBox', 'RadioButton', 'ToggleButton', 'Switch'].map((name) => [
      `Landroid/widget/${name};`,
      widget('Landroid/widget/CompoundButton;'),
    ]),
  ),
  'Landroid/widget/CheckedTextView;': widget(asText, checkMethods),
  'Landroid/widget/Chronometer;': widget(asText),
  'Landroid/text/TextWatcher;': {
    isInterface: true,
    abstractMethods: [
      'beforeTextChanged(Ljava/lang/CharSequence;III)V',
      'onTextChanged(Ljava/lang/CharSequence;III)V',
      'afterTextChanged(Landroid/text/Editable;)V',
    ],
  },
  'Landroid/view/inputmethod/InputMethodManager;': {
    methods: {
      ...each(yes, 'hideSoftInputFromWindow(Landroid/os/IBinder;I)Z', 'showSoftInput(Landroid/view/View;I)Z'),
      'isActive()Z': no,
    },
  },
};
