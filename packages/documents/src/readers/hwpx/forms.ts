import type { FormField } from '../../document.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { fieldSpan, formField } from '../../text/form-fields.ts';
import { spansContent, type ControlContent } from '../hwp/control-content.ts';
import { captionText } from '../hwp/forms.ts';
import type { Session } from './session.ts';

const captionOf = (element: XmlElement): string =>
  captionText(attributeOf(element, 'caption') ?? attributeOf(element, 'captionText') ?? '');

/** Source: KS X 6101, ButtonCheckValue. */
function checkedOf(element: XmlElement): boolean | null {
  const value = attributeOf(element, 'value') ?? '';
  return /^(?:INDETERMINATE|2)$/iu.test(value) ? null : /^(?:CHECKED|TRUE|1)$/iu.test(value);
}

/** The list of a choice: an item without a text of its own shows its value. */
function choiceOf(element: XmlElement): Pick<FormField, 'value' | 'options'> {
  const items = [...childrenOf(element, 'hp:listItem')].map((item) => {
    const value = attributeOf(item, 'value') ?? '';
    return { value, text: (attributeOf(item, 'displayText') ?? '').trim() || value };
  });
  const chosen = (attributeOf(element, 'selectedValue') ?? innerText(childOf(element, 'hp:text'))).trim();
  return {
    value: items.find(({ value }) => value === chosen)?.text ?? chosen,
    options: items.map(({ text }) => text).filter((text) => text !== ''),
  };
}

function fieldOf(element: XmlElement): FormField | null {
  const name = attributeOf(element, 'name') ?? '';
  switch (element.name) {
    case 'hp:checkBtn':
      return formField({ kind: 'checkbox', name, label: captionOf(element), checked: checkedOf(element) });
    case 'hp:radioBtn': {
      const group = attributeOf(element, 'radioGroupName') ?? '';
      const checked = checkedOf(element);
      return formField({ kind: 'radio', name: group === '' ? name : group, label: captionOf(element), checked });
    }
    case 'hp:comboBox':
    case 'hp:listBox':
      return formField({ kind: 'choice', name, ...choiceOf(element) });
    case 'hp:edit':
      return formField({ kind: 'text', name, value: innerText(childOf(element, 'hp:text')).trim() });
    default:
      return null;
  }
}

/** A field of a form, or the words on a button. */
export function readForm(element: XmlElement, session: Session): ControlContent {
  const field = fieldOf(element);
  if (field === null) return spansContent(captionOf(element));
  const span = fieldSpan(field);
  session.budget.text(span.text.length);
  return { kind: 'spans', spans: [span] };
}
