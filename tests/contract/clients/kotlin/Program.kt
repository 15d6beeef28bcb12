// What a client developer writes with OpenAPI Generator's client for Kotlin.
import org.openapitools.client.apis.AccountsApi
import org.openapitools.client.apis.DashboardsApi
import org.openapitools.client.apis.QuestionsApi
import org.openapitools.client.apis.SittingsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.AnswerSheet
import org.openapitools.client.models.Credentials
import org.openapitools.client.models.ErrorBody
import org.openapitools.client.models.GivenAnswer
import org.openapitools.client.models.Login

fun logIn(address: String, email: String, password: String): Login {
    ApiClient.accessToken = null
    val login = AccountsApi(address).logIn(Credentials(email, password))
    ApiClient.accessToken = login.access
    return login
}

fun main(arguments: Array<String>) {
    val (address, key, moderator, candidate, password) = arguments
    ApiClient.apiKey["X-Api-Key"] = key
    val staff = logIn(address, moderator, password)
    val found = QuestionsApi(address).listQuestions(search = "question 1", limit = 5)

    val ada = logIn(address, candidate, password)
    val exam = DashboardsApi(address).showCandidateDashboard().availableExams.single()
    val sittings = SittingsApi(address)
    val paper = sittings.takeExam(exam.id)
    val sheet = AnswerSheet(paper.questions.map { GivenAnswer(it.id, GivenAnswer.SelectedOption.A) })
    sittings.submitAnswers(exam.id, sheet)
    val code = try {
        sittings.submitAnswers(exam.id, sheet)
        "none"
    } catch (refused: ClientException) {
        val body = (refused.response as ClientError<*>).body as String
        Serializer.kotlinxSerializationJson.decodeFromString<ErrorBody>(body).code
    }
    val answered = sheet.answers.size
    println("${staff.profile.role} ${found.pagination.count} ${ada.profile.school} $answered $code")
}
