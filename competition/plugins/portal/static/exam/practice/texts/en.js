// The English texts of the practice exam.

export default {
  "practice.lead": "Ten questions and ten minutes. Nothing counts: this page only pretends to be the league, and no answer leaves this device.",
  "practice.step1": "Choose an answer, and look at the top of the page: it says where the answer is kept.",
  "practice.step2": "Press “Pretend the connection is lost”, carry on, and bring the connection back: your answers are then sent.",
  "practice.step3": "Press “Pretend this device is lost”. The answers that the league has come back on the next device. An answer that is on this device only is lost with it.",
  "practice.step4": "Submit, as on exam day.",
  "practice.leave": "Leave",
  "practice.again": "Practise again",
  "practice.receipt": "After a real exam, your receipt appears here. You can save it or print it.",
  "practice.tries": "Try what may happen on exam day.",
  "practice.cut": "Pretend the connection is lost",
  "practice.reconnect": "Bring the connection back",
  "practice.isCut": "The connection is lost. Carry on: your answers stay on this device, and are sent when the connection is back.",
  "practice.isFound": "This is another device. The league has sent your saved answers to it.",
  "practice.loseDevice": "Pretend this device is lost",
  "practice.isLost": { one: "This is another device. The league has sent your saved answers to it. Your latest choice in question {numbers} was on the lost device only: choose it again.", other: "This is another device. The league has sent your saved answers to it. Your latest choices in questions {numbers} were on the lost device only: choose them again." },
};
