/** A convention that calibration looks for, and the values it tries. */
export interface Knob<Profile> {
  readonly name: string;
  readonly values: readonly KnobValue<Profile>[];
}

export interface KnobValue<Profile> {
  readonly label: string;
  /** The fields that this knob sets, the same ones for each of its values. */
  readonly change: Partial<Profile>;
}

/** One value of each knob, by its place among the knob's values. */
export type Choice = readonly number[];

/** `base` with the chosen values. */
export function profileOf<Profile extends object>(
  knobs: readonly Knob<Profile>[],
  base: Profile,
  choice: Choice,
): Profile {
  return knobs.reduce((profile, { values }, k) => ({ ...profile, ...values[choice[k]].change }), base);
}

/** The knobs, with the values that a profile has added where they are missing. */
export function knobsWith<Profile extends object>(
  knobs: readonly Knob<Profile>[],
  profile: Profile,
): Knob<Profile>[] {
  return knobs.map(({ name, values }) => {
    if (placeOf(values, profile) >= 0) return { name, values };
    const change = { ...values[0].change };
    for (const field of fieldsOf(change)) change[field] = profile[field];
    const label = fieldsOf(change).map((field) => String(profile[field])).join(", ");
    return { name, values: [...values, { label, change }] };
  });
}

/** The values that a profile has; a knob that lacks its value counts as at its first. */
export function choiceOf<Profile extends object>(
  knobs: readonly Knob<Profile>[],
  profile: Profile,
): number[] {
  return knobs.map(({ values }) => Math.max(0, placeOf(values, profile)));
}

function placeOf<Profile extends object>(values: readonly KnobValue<Profile>[], profile: Profile): number {
  return values.findIndex(({ change }) =>
    fieldsOf(change).every((field) => change[field] === profile[field])
  );
}

function fieldsOf<Profile extends object>(change: Partial<Profile>): (keyof Profile)[] {
  const fields: (keyof Profile)[] = [];
  for (const field in change) fields.push(field);
  return fields;
}
