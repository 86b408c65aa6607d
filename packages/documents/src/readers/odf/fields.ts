import type { FormField } from '../../document.ts';
import { attributeOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { formField } from '../../text/form-fields.ts';

/** Controls of forms within each other. */
const MAX_DEPTH = 16;

function fieldOf(control: XmlElement): FormField | null {
  const name = attributeOf(control, 'form:name') ?? '';
  const label = attributeOf(control, 'form:label') ?? '';
  const value = attributeOf(control, 'form:current-value') ?? attributeOf(control, 'form:value') ?? '';
  switch (control.name) {
    case 'form:checkbox': {
      const state = attributeOf(control, 'form:current-state') ?? attributeOf(control, 'form:state');
      return formField({ kind: 'checkbox', name, label, checked: state === 'unknown' ? null : state === 'checked' });
    }
    case 'form:radio': {
      const chosen = attributeOf(control, 'form:current-selected') ?? attributeOf(control, 'form:selected');
      return formField({ kind: 'radio', name, label, checked: chosen === 'true' });
    }
    case 'form:listbox':
    case 'form:combobox': {
      const items = [...childrenOf(control)].filter((item) => item.name === 'form:option' || item.name === 'form:item');
      const options = items.map((item) => attributeOf(item, 'form:label') ?? '').filter((one) => one !== '');
      const chosen = items.find((item) => attributeOf(item, 'form:current-selected') === 'true');
      return formField({ kind: 'choice', name, value: attributeOf(chosen, 'form:label') ?? value, options });
    }
    case 'form:text':
    case 'form:textarea':
    case 'form:date':
    case 'form:number':
    case 'form:formatted-text':
      return formField({ kind: 'text', name, value });
    default:
      return null;
  }
}

/** Fields of the forms of a document by the id that the text refers to them by. */
export function readFields(body: XmlElement): ReadonlyMap<string, FormField> {
  const fields = new Map<string, FormField>();
  const visit = (element: XmlElement, depth: number): void => {
    for (const child of childrenOf(element)) {
      const field = fieldOf(child);
      const id = attributeOf(child, 'form:id') ?? attributeOf(child, 'xml:id');
      if (field !== null && id !== undefined) fields.set(id, field);
      else if ((child.name === 'form:form' || child.name === 'office:forms') && depth < MAX_DEPTH)
        visit(child, depth + 1);
    }
  };
  visit(body, 0);
  return fields;
}
