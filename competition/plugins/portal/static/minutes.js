// The candidate's own time in an exam, for the pages that list exams.

import { useRead } from "../../pages/static/ground/poll.js";
import { ownMinutes } from "./calls.js";

/**
 * The candidate's own minutes in an exam. Until they are read, or if they can't be read, the exam's usual
 * minutes.
 *
 * @param {{ id: number, countdown_minutes: number } | null | undefined} exam
 */
export function useOwnMinutes(exam) {
  const { value } = useRead(async () => (exam ? { of: exam.id, minutes: await ownMinutes(exam) } : null), [exam?.id]);
  return (value?.of === exam?.id && value?.minutes) || exam?.countdown_minutes || 0;
}
